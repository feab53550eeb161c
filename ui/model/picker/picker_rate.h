/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often one event is sampled, as a person writes it: "100k", "999 Hz". */
#ifndef MODEL_PICKER_PICKER_RATE_H
#define MODEL_PICKER_PICKER_RATE_H

#include <stddef.h>
#include <stdint.h>

struct picker_rate {
	uint64_t period;  /* events a sample; 0: not said */
	uint64_t freq_hz; /* samples a second; 0: not said. One of them is 0 */
};

/* 0, or -EINVAL with nothing in *ret. "" and blanks are both 0: as the whole recording. */
int picker_rate_parse(const char *text, struct picker_rate *ret);
/* As it can be parsed again; "" for none. Returns buf. */
char *picker_rate_text(const struct picker_rate *rate, char *buf, size_t size);

#endif
