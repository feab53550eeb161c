/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library for unwind_work: a function with a frame of FRAME bytes and no frame pointer. */
void unwind_lib(void (*fn)(unsigned long), unsigned long n);

void unwind_lib(void (*fn)(unsigned long), unsigned long n)
{
	volatile char room[FRAME];

	room[n % FRAME] = 1;
	fn(n + (unsigned long)room[n % FRAME] - 1);
	__asm__ volatile("" : : : "memory");
}
