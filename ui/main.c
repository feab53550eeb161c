/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>

#include "ptui/cli.h"

int main(int argc, char **argv)
{
	return ptui_cli_main(argc, argv, NULL);
}
