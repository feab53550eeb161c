/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pasted LINE: prints Setup's command line after pasting LINE, one word per line. Skipped options
 * go to stderr, and are a failure.
 */
#include <stdio.h>

#include "model/setup/setup.h"

int main(int argc, char **argv)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct words words = WORDS_INIT;
	struct setup_taken taken;
	struct setup s;
	size_t n_left_out;

	if (argc != 2 || setup_init(&s))
		return 2;
	if (setup_take_line(&s, argv[1], false, &taken, &err) || setup_words(&s, &words, &err)) {
		fprintf(stderr, "%s\n", err.text);
		setup_release(&s);
		return 1;
	}
	for (size_t i = 0; i < words.n; i++)
		puts(words.v[i]);
	n_left_out = taken.left_out.n;
	for (size_t i = 0; i < n_left_out; i++)
		fprintf(stderr, "%s\n", taken.left_out.v[i]);
	words_release(&taken.left_out);
	words_release(&words);
	setup_release(&s);
	return n_left_out ? 1 : 0;
}
