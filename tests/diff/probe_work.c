/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What probes are set in by tests/diff/probe.sh: compiled with and without optimization, and with several
 * versions of DWARF. The numbers of lines matter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum colour { RED, GREEN = 5 };
typedef struct point {
	int x, y;
} point_t;
union number {
	int i;
	float f;
	unsigned char bytes[8];
};
struct node {
	struct node *next;
	char name[16];
	unsigned flag : 3, count : 7;
	signed char small;
	short half;
	long long wide;
	double ratio;
	point_t at, corners[4];
	int grid[2][3];
	union number number;
	struct {
		int hidden;
		unsigned deep;
	};
	enum colour colour;
	const char *text;
	void (*callback)(int);
};

static int counter = 3;
int exported = 7;
const char *const words[] = { "one", "two", "three" };

static inline __attribute__((always_inline)) int square(int value)
{
	int twice = value + value;

	return twice * value;
}

static int helper(const struct node *n, int depth)
{
	if (depth <= 0)
		return n->at.x;
	return helper(n, depth - 1) + square(depth);
}

__attribute__((noinline)) long sum_nodes(struct node *list, const char *title, unsigned limit)
{
	long sum = 0;

	for (struct node *n = list; n && limit; n = n->next) {
		int weight = (int)limit * 2;

		sum += n->wide + square(weight);
		sum += n->grid[1][2] + n->count;
		limit--;
	}
	if (title && *title)
		sum += (long)strlen(title);
	counter += (int)sum;
	return sum;
}

__attribute__((noinline)) point_t move(point_t p, unsigned char by, double factor)
{
	p.x += by;
	p.y += (int)(by * factor);
	return p;
}

__attribute__((noinline)) int many(int a, int b, int c, int d, int e, int f, int g, long h)
{
	return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + (int)h * 8;
}

__attribute__((noinline)) int words_of(const char *const *list, char **argv, int n)
{
	int length = 0;

	for (int i = 0; i < n; i++)
		length += (int)strlen(list[i]);
	return length + argv[0][0];
}

int main(int argc, char **argv)
{
	struct node second = { .name = "second", .wide = 5 };
	struct node first = { .next = &second, .name = "first", .flag = 5, .count = 77 };
	point_t p = { argc, 2 };

	first.text = "a text";
	first.grid[1][2] = argc + 41;
	first.wide = argc;
	for (int i = 0; i < 3; i++) {
		p = move(p, (unsigned char)i, 0.5);
		exported += many(1, 2, 3, 4, 5, 6, 7, i);
		exported += (int)sum_nodes(&first, argv[0], (unsigned)argc + 2);
		exported += words_of(words, argv, 3) + helper(&first, argc);
	}
	printf("%d %d\n", exported + square(argc), p.x);
	return 0;
}
