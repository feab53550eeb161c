// SPDX-License-Identifier: GPL-2.0-or-later
// The same for C++: methods, templates, references, base classes and namespaces.
#include <cstdio>
#include <cstring>

namespace shop
{
struct base {
	int id;
	long stamp;
};

class item : public base
{
      public:
	item(int number, const char *label) : price(number), name(label)
	{
		id = number * 2;
		stamp = number;
	}
	int cost(int pieces) const;
	int price;
	const char *name;

      private:
	unsigned bits : 5;
};

__attribute__((noinline)) int item::cost(int pieces) const
{
	int total = price * pieces;

	if (pieces > 10)
		total -= pieces;
	return total;
}

template <typename T> __attribute__((noinline)) T largest(T a, T b)
{
	T result = a > b ? a : b;

	return result;
}

__attribute__((noinline)) int by_reference(item &thing, const int &pieces)
{
	thing.price += pieces;
	return thing.cost(pieces) + thing.id;
}

static inline __attribute__((always_inline)) long inlined(long value)
{
	return value * value + 1;
}
}

int total;

extern "C" __attribute__((noinline)) int c_name(bool flag, char letter, unsigned short half)
{
	return flag ? letter : half;
}

int main(int argc, char **argv)
{
	shop::item apple(argc + 3, argv[0]);

	for (int i = 0; i < 3; i++) {
		total += apple.cost(i + argc);
		total += shop::largest(i, argc) + (int)shop::largest(1.5, (double)argc);
		total += shop::by_reference(apple, i) + (int)shop::inlined(argc);
		total += c_name(argc > 1, 'a', 7);
	}
	printf("%d\n", total);
	return 0;
}
