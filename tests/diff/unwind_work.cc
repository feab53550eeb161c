// SPDX-License-Identifier: GPL-2.0-or-later
// Loads in C++ whose stacks go through code without frame pointers: sort, throw.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

static volatile unsigned long sink;

static void sort_some(unsigned rounds)
{
	for (unsigned r = 0; r < rounds; r++) {
		std::vector<std::string> v;

		for (unsigned i = 0; i < 2000; i++)
			v.push_back(std::to_string((i * 2654435761u + r) % 100003));
		std::sort(v.begin(), v.end(), [](const std::string &a, const std::string &b) {
			return a.compare(b) < 0;
		});
		sink += v[r % v.size()].size();
	}
}

static unsigned deep(unsigned n, const std::function<unsigned(unsigned)> &f)
{
	std::string local(n, 'x');

	if (!n)
		return f(n);
	return deep(n - 1, f) + static_cast<unsigned>(local.size());
}

static void throw_some(unsigned rounds)
{
	std::map<std::string, unsigned> seen;

	for (unsigned r = 0; r < rounds; r++) {
		try {
			sink += deep(r % 20, [&](unsigned) -> unsigned {
				throw std::runtime_error(std::to_string(r % 97));
			});
		} catch (const std::exception &e) {
			seen[e.what()]++;
		}
	}
	sink += seen.size();
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 2 ? static_cast<unsigned>(atoi(argv[2])) : 100;

	if (argc > 1 && !strcmp(argv[1], "sort"))
		sort_some(rounds);
	else if (argc > 1 && !strcmp(argv[1], "throw"))
		throw_some(rounds * 50);
	else
		return 2;
	return 0;
}
