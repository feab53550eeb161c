/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the load calls in its library, by dlsym(). */
#ifndef TESTS_DIFF_WORK_H
#define TESTS_DIFF_WORK_H

typedef void (*work_fn)(unsigned n);
typedef void (*work_each_fn)(unsigned times, work_fn fn);

#endif
