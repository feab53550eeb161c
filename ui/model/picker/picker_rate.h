/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sampling rate of one event, as typed: "100k", "999 Hz". */
#ifndef MODEL_PICKER_PICKER_RATE_H
#define MODEL_PICKER_PICKER_RATE_H

#include <stddef.h>
#include <stdint.h>

struct picker_rate {
	uint64_t period;  /* sample period; 0: not set */
	uint64_t freq_hz; /* sampling frequency; 0: not set. At most one of them is set */
};

/* 0, or -EINVAL with *ret zeroed. "" and blanks: both 0, as for the whole recording. */
int picker_rate_parse(const char *text, struct picker_rate *ret);
/* In a form that can be parsed; "" for none. Returns buf. */
char *picker_rate_text(const struct picker_rate *rate, char *buf, size_t size);

#endif
