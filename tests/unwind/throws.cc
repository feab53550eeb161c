/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C++ as it is written: sorted strings, maps, and exceptions that pass many frames. */
#include <algorithm>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

static int throw_at(int depth)
{
	if (!depth)
		throw std::runtime_error("end");
	std::string s(static_cast<size_t>(depth), 'a');
	return throw_at(depth - 1) + static_cast<int>(s.size());
}

static unsigned once(unsigned round)
{
	std::vector<std::string> v;
	std::map<std::string, unsigned> m;
	unsigned sum = 0;

	for (unsigned i = 0; i < 200; i++)
		v.push_back(std::to_string((i * 7919 + round) % 1000));
	std::sort(v.begin(), v.end());
	for (auto &s : v)
		sum += m[s]++;
	for (int i = 0; i < 20; i++) {
		try {
			sum += static_cast<unsigned>(throw_at(12));
		} catch (const std::exception &e) {
			sum += static_cast<unsigned>(e.what()[0]);
		}
	}
	return sum;
}

int main(int argc, char **argv)
{
	unsigned sum = 0;

	for (int i = argc > 1 ? std::atoi(argv[1]) : 300; i > 0; i--)
		sum += once(static_cast<unsigned>(i));
	return sum == 1;
}
