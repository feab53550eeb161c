/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a config file: as sections, and line by line as the screens' settings and key bindings.
 * No crash; a wrong line is reported with its file and number, and changes nothing.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/config.h"
#include "input/keymap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int see(void *ctx, const struct config_entry *entry, struct ptui_error *err)
{
	bool on;

	(void)ctx;
	(void)err;
	if (!entry->file || !entry->line || !*entry->name || !entry->value)
		abort();
	config_bool(entry->value, &on);
	return 0;
}

static void as_sections(const char *path)
{
	for (unsigned flags = 0; flags <= CONFIG_SECTIONS_ONLY; flags++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		int ret = config_each(path, flags, see, NULL, &err);

		if (ret && ret != -ENOSYS && (ret != -EINVAL || !strstr(err.text, path)))
			abort();
	}
}

static void as_settings(const char *text)
{
	struct keymaps *maps = keymaps_new(NULL);
	struct config config = CONFIG_INIT;
	char *copy = strdup(text), *rest = copy, *line;

	if (!maps || !copy)
		abort();
	for (unsigned n = 1; (line = strsep(&rest, "\n")); n++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		struct config before = config;

		if (!config_parse_line(maps, &config, line, "config", n, &err))
			continue;
		if (!ptui_error_is_set(&err) || memcmp(&before, &config, sizeof(config)))
			abort();
	}
	if (config.mouse < -1 || config.mouse > 1 || config.ascii < -1 || config.ascii > 1)
		abort();
	free(copy);
	keymaps_free(maps);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("config", 0);
	char *text = malloc(size + 1), path[64];

	if (fd < 0 || !text || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	as_sections(path);
	memcpy(text, data, size);
	text[size] = '\0';
	as_settings(text);
	free(text);
	close(fd);
	return 0;
}
