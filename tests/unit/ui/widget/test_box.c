/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "unit/ui/screen.h"
#include "widget/box.h"

#define FIXED(n, ...)	((struct box){ .sizing = BOX_FIXED, .size = (n), ##__VA_ARGS__ })
#define CONTENT(n, ...) ((struct box){ .sizing = BOX_CONTENT, .size = (n), ##__VA_ARGS__ })
#define FILL(...)	((struct box){ .sizing = BOX_FILL, ##__VA_ARGS__ })

static struct box *add(struct box *parent, const char *name, struct box like)
{
	struct box *b = box_new(name, &like);

	assert_int_equal(box_add(parent, b), 0);
	return b;
}

static struct box *new_root(enum box_direction direction)
{
	return box_new("all", &(struct box){ .direction = direction });
}

static const char *reflowed(struct box *root, int rows, int cols)
{
	static char buf[2048];

	box_reflow(root, rows, cols);
	assert_true(box_print(root, buf, sizeof(buf)) < sizeof(buf));
	return buf;
}

#define check(root, rows, cols, text) assert_string_equal(reflowed(root, rows, cols), text)

/* A typical screen: hides rules before facts, facts before rows. */
static struct box *new_screen(void)
{
	struct box *root = new_root(BOX_COLUMN), *body;

	add(root, "head", FIXED(1));
	add(root, "rule", FIXED(1, .hide = 3));
	add(root, "facts", FIXED(2, .hide = 2));
	body = add(root, "body", FILL(.min = 3, .direction = BOX_ROW));
	add(body, "list", FILL(.min = 20, .weight = 2));
	add(body, "bar", FIXED(1, .hide = 1));
	add(body, "told", FILL(.min = 20, .hide = 1));
	add(root, "rule2", FIXED(1, .hide = 3));
	add(root, "hints", FIXED(1, .hide = 1));
	return root;
}

static void test_screen(void **state)
{
	struct box *root = new_screen();

	(void)state;
	check(root, 60, 200,
	      "all 0,0 60*200 (head 0,0 1*200, rule 1,0 1*200, facts 2,0 2*200, "
	      "body 4,0 54*200 (list 4,0 54*126, bar 4,126 54*1, told 4,127 54*73), "
	      "rule2 58,0 1*200, hints 59,0 1*200)");
	check(root, 24, 80,
	      "all 0,0 24*80 (head 0,0 1*80, rule 1,0 1*80, facts 2,0 2*80, "
	      "body 4,0 18*80 (list 4,0 18*46, bar 4,46 18*1, told 4,47 18*33), "
	      "rule2 22,0 1*80, hints 23,0 1*80)");
	check(root, 10, 40,
	      "all 0,0 10*40 (head 0,0 1*40, rule 1,0 1*40, facts 2,0 2*40, "
	      "body 4,0 4*40 (list 4,0 4*40), rule2 8,0 1*40, hints 9,0 1*40)");
	/* side by side as long as both have their least */
	check(root, 10, 41,
	      "all 0,0 10*41 (head 0,0 1*41, rule 1,0 1*41, facts 2,0 2*41, "
	      "body 4,0 4*41 (list 4,0 4*20, bar 4,20 4*1, told 4,21 4*20), "
	      "rule2 8,0 1*41, hints 9,0 1*41)");
	check(root, 9, 30,
	      "all 0,0 9*30 (head 0,0 1*30, rule 1,0 1*30, facts 2,0 2*30, "
	      "body 4,0 3*30 (list 4,0 3*30), rule2 7,0 1*30, hints 8,0 1*30)");
	/* both rules at once, though one of them would still fit */
	check(root, 8, 30,
	      "all 0,0 8*30 (head 0,0 1*30, facts 1,0 2*30, body 3,0 4*30 (list 3,0 4*30), "
	      "hints 7,0 1*30)");
	check(root, 6, 30,
	      "all 0,0 6*30 (head 0,0 1*30, body 1,0 4*30 (list 1,0 4*30), hints 5,0 1*30)");
	check(root, 4, 10, "all 0,0 4*10 (head 0,0 1*10, body 1,0 3*10 (list 1,0 3*10))");
	/* boxes that are never hidden are clipped, from the end */
	check(root, 2, 10, "all 0,0 2*10 (head 0,0 1*10, body 1,0 1*10 (list 1,0 1*10))");
	check(root, 1, 1, "all 0,0 1*1 (head 0,0 1*1)");
	check(root, 0, 40, "");
	check(root, 40, 0, "");
	check(root, -1, -1, "");
	/* and everything comes back */
	check(root, 6, 30,
	      "all 0,0 6*30 (head 0,0 1*30, body 1,0 4*30 (list 1,0 4*30), hints 5,0 1*30)");
	box_free(root);
}

/* At every size boxes neither overlap nor exceed their parent. */
static void check_inside(const struct box *b)
{
	bool row = b->direction == BOX_ROW;
	int at = row ? b->at.x : b->at.y, end = at + (row ? b->at.w : b->at.h), filled = 0;

	for (size_t i = 0; i < b->n_children; i++) {
		const struct box *child = b->children[i];
		int from = row ? child->at.x : child->at.y, size = row ? child->at.w : child->at.h;

		if (!child->shown) {
			assert_int_equal(child->at.h, 0);
			assert_int_equal(child->at.w, 0);
			for (size_t k = 0; k < child->n_children; k++)
				assert_false(child->children[k]->shown);
			continue;
		}
		assert_int_equal(from, at);
		assert_true(size > 0);
		assert_int_equal(row ? child->at.h : child->at.w, row ? b->at.h : b->at.w);
		at += size;
		filled += child->sizing == BOX_FILL && !child->max;
		check_inside(child);
	}
	assert_true(at <= end);
	/* fill boxes use all the room */
	if (filled)
		assert_int_equal(at, end);
}

static void test_every_size(void **state)
{
	struct box *root = new_screen();

	(void)state;
	for (int rows = 1; rows <= 60; rows++) {
		for (int cols = 1; cols <= 200; cols++) {
			box_reflow(root, rows, cols);
			assert_true(root->shown);
			check_inside(root);
		}
	}
	box_free(root);
}

/* By weight, to the last column; a box at its max leaves the rest to the others. */
static void test_fill(void **state)
{
	struct box *root = new_root(BOX_ROW), *b, *c;

	(void)state;
	add(root, "a", FILL());
	b = add(root, "b", FILL(.weight = 2));
	c = add(root, "c", FILL(.weight = 3));
	check(root, 1, 60, "all 0,0 1*60 (a 0,0 1*10, b 0,10 1*20, c 0,30 1*30)");
	check(root, 1, 7, "all 0,0 1*7 (a 0,0 1*1, b 0,1 1*2, c 0,3 1*4)");
	/* a box without room is hidden */
	check(root, 1, 2, "all 0,0 1*2 (c 0,0 1*2)");
	c->max = 12;
	check(root, 1, 60, "all 0,0 1*60 (a 0,0 1*16, b 0,16 1*32, c 0,48 1*12)");
	b->max = 8;
	check(root, 1, 60, "all 0,0 1*60 (a 0,0 1*40, b 0,40 1*8, c 0,48 1*12)");
	root->children[0]->max = 5;
	check(root, 1, 60, "all 0,0 1*60 (a 0,0 1*5, b 0,5 1*8, c 0,13 1*12)");
	/* first the minimum of each, then weights */
	root->children[0]->max = b->max = c->max = 0;
	root->children[0]->min = 30;
	check(root, 1, 60, "all 0,0 1*60 (a 0,0 1*35, b 0,35 1*10, c 0,45 1*15)");
	/* a least above the most: the least */
	b->min = 20;
	b->max = 10;
	check(root, 1, 60, "all 0,0 1*60 (a 0,0 1*32, b 0,32 1*20, c 0,52 1*8)");
	box_free(root);
}

static void test_content(void **state)
{
	struct box *root = new_root(BOX_COLUMN), *a, *b;

	(void)state;
	a = add(root, "a", CONTENT(3, .min = 1, .max = 5));
	b = add(root, "b", CONTENT(0, .min = 2));
	add(root, "rest", FILL(.min = 2));
	check(root, 12, 4, "all 0,0 12*4 (a 0,0 3*4, b 3,0 2*4, rest 5,0 7*4)");
	box_set_content(a, 100);
	box_set_content(b, 4);
	check(root, 12, 4, "all 0,0 12*4 (a 0,0 5*4, b 5,0 4*4, rest 9,0 3*4)");
	/* content shrinks before boxes are clipped: the last one first, never below its minimum */
	check(root, 10, 4, "all 0,0 10*4 (a 0,0 5*4, b 5,0 3*4, rest 8,0 2*4)");
	check(root, 8, 4, "all 0,0 8*4 (a 0,0 4*4, b 4,0 2*4, rest 6,0 2*4)");
	check(root, 5, 4, "all 0,0 5*4 (a 0,0 1*4, b 1,0 2*4, rest 3,0 2*4)");
	check(root, 4, 4, "all 0,0 4*4 (a 0,0 1*4, b 1,0 2*4, rest 3,0 1*4)");
	check(root, 3, 4, "all 0,0 3*4 (a 0,0 1*4, b 1,0 2*4)");
	check(root, 1, 4, "all 0,0 1*4 (a 0,0 1*4)");
	/* nothing to be shown, nothing shown */
	a->min = 0;
	box_set_content(a, 0);
	check(root, 12, 4, "all 0,0 12*4 (b 0,0 4*4, rest 4,0 8*4)");
	box_set_content(a, -7);
	check(root, 12, 4, "all 0,0 12*4 (b 0,0 4*4, rest 4,0 8*4)");
	box_free(root);
}

/* The highest number is hidden first, all of one number at once, and only as many as needed. */
static void test_hide(void **state)
{
	struct box *root = new_root(BOX_ROW);

	(void)state;
	add(root, "a", FIXED(4));
	add(root, "b", FIXED(4, .hide = 1));
	add(root, "c", FIXED(4, .hide = 2));
	add(root, "d", FIXED(4, .hide = 1));
	add(root, "e", FIXED(1, .hide = 3));
	check(root, 1, 20,
	      "all 0,0 1*20 (a 0,0 1*4, b 0,4 1*4, c 0,8 1*4, d 0,12 1*4, e 0,16 1*1)");
	check(root, 1, 16, "all 0,0 1*16 (a 0,0 1*4, b 0,4 1*4, c 0,8 1*4, d 0,12 1*4)");
	check(root, 1, 15, "all 0,0 1*15 (a 0,0 1*4, b 0,4 1*4, d 0,8 1*4)");
	check(root, 1, 11, "all 0,0 1*11 (a 0,0 1*4)");
	check(root, 1, 3, "all 0,0 1*3 (a 0,0 1*3)");
	box_free(root);
}

static void test_off(void **state)
{
	struct box *root = new_root(BOX_COLUMN), *a, *inner;

	(void)state;
	a = add(root, "a", FIXED(2));
	inner = add(a, "inner", FILL());
	add(root, "b", FILL());
	check(root, 5, 5, "all 0,0 5*5 (a 0,0 2*5 (inner 0,0 2*5), b 2,0 3*5)");
	box_set_off(a, true);
	check(root, 5, 5, "all 0,0 5*5 (b 0,0 5*5)");
	assert_false(inner->shown);
	box_set_off(a, false);
	check(root, 5, 5, "all 0,0 5*5 (a 0,0 2*5 (inner 0,0 2*5), b 2,0 3*5)");
	box_set_off(root, true);
	check(root, 5, 5, "");
	box_free(root);
}

static void test_nested(void **state)
{
	struct box *root = new_root(BOX_ROW), *left, *right, *deep;

	(void)state;
	left = add(root, "left", FIXED(10, .direction = BOX_COLUMN));
	right = add(root, "right", FILL(.direction = BOX_COLUMN));
	add(left, "l1", FIXED(1));
	add(left, "l2", FILL());
	deep = add(right, "deep", FILL(.weight = 3, .direction = BOX_ROW));
	add(right, "foot", FILL());
	add(deep, "x", FILL());
	add(deep, "y", FILL());
	check(root, 9, 31,
	      "all 0,0 9*31 (left 0,0 9*10 (l1 0,0 1*10, l2 1,0 8*10), right 0,10 9*21 "
	      "(deep 0,10 6*21 (x 0,10 6*10, y 0,20 6*11), foot 6,10 3*21))");
	check(root, 2, 11,
	      "all 0,0 2*11 (left 0,0 2*10 (l1 0,0 1*10, l2 1,0 1*10), right 0,10 2*1 "
	      "(deep 0,10 1*1 (y 0,10 1*1), foot 1,10 1*1))");
	assert_ptr_equal(box_find(root, "foot"), right->children[1]);
	assert_ptr_equal(box_find(root, "all"), root);
	assert_null(box_find(root, "none"));
	box_free(root);
}

/* The cells drawn by a box and hit by the mouse are the same. */
static void test_cells(void **state)
{
	struct grid *g = grid_new(6, 20);
	struct canvas c = canvas_of(g), part;
	struct box *root = new_screen(), *told = box_find(root, "told");

	(void)state;
	box_reflow(root, 6, 20);
	part = box_canvas(told, &c);
	assert_int_equal(part.at.h * part.at.w, 0);
	assert_false(box_has(told, 0, 0));
	for (size_t i = 0; i < root->n_children; i++) {
		part = box_canvas(root->children[i], &c);
		canvas_fill(&part, 0, 0, 99, 99, ROLE_TEXT, '0' + (uint32_t)i);
	}
	check_rows(g, "00000000000000000000", "33333333333333333333", "33333333333333333333",
		   "33333333333333333333", "33333333333333333333", "55555555555555555555");
	for (int y = -1; y <= 6; y++) {
		for (int x = -1; x <= 20; x++) {
			bool inside = y >= 0 && y < 6 && x >= 0 && x < 20;
			int n = 0;

			for (size_t i = 0; i < root->n_children; i++)
				n += box_has(root->children[i], y, x);
			assert_int_equal(n, inside);
		}
	}
	/* a canvas smaller than the layout clips, and does not exceed the grid */
	c = canvas_part(&c, 0, 0, 2, 3);
	part = box_canvas(box_find(root, "hints"), &c);
	assert_int_equal(part.at.h * part.at.w, 0);
	box_free(root);
	grid_free(g);
}

static void test_print(void **state)
{
	struct box *root = new_screen();
	char whole[512], buf[512];
	size_t n;

	(void)state;
	box_reflow(root, 24, 80);
	n = box_print(root, whole, sizeof(whole));
	assert_int_equal(n, strlen(whole));
	/* as snprintf: counts all, writes what fits */
	for (size_t size = 0; size < sizeof(buf); size++) {
		memset(buf, '#', sizeof(buf));
		assert_int_equal(box_print(root, buf, size), n);
		if (size) {
			size_t fits = size - 1 < n ? size - 1 : n;

			assert_memory_equal(buf, whole, fits);
			assert_int_equal(buf[fits], '\0');
		}
		for (size_t i = size; i < sizeof(buf); i++)
			assert_int_equal(buf[i], '#');
	}
	assert_int_equal(box_add(root, NULL), -ENOMEM);
	box_free(root);
	box_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_screen), cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_fill),   cmocka_unit_test(test_content),
		cmocka_unit_test(test_hide),   cmocka_unit_test(test_off),
		cmocka_unit_test(test_nested), cmocka_unit_test(test_cells),
		cmocka_unit_test(test_print),
	};

	return cmocka_run_group_tests_name("ui/box", tests, use_utf8, NULL);
}
