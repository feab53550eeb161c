/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The function work, to be annotated. Tests assemble annotate_work.s, made of this: see recording.h. */
#define SIZE 1024

unsigned table[SIZE];

static inline unsigned mix(unsigned x)
{
	x ^= x >> 13;
	x *= 0x5bd1e995;
	return x ^ (x >> 15);
}

__attribute__((noinline)) unsigned leaf(unsigned v)
{
	return mix(v) % 8;
}

__attribute__((noinline)) unsigned work(unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n; i++) {
		if (i & 1)
			sum += table[i % SIZE];
		else if (i % 3 == 0)
			sum += mix(i);
		else
			sum += leaf(i);
		/* each store has to wait for the sum: most of the time is spent here */
		table[sum % SIZE]++;
	}
	return sum;
}

int main(void)
{
	return (int)work(1000) & 1;
}
