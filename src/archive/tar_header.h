/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header of an entry, in a block of its own; the bytes of a file follow, padded to whole blocks. */
#ifndef ARCHIVE_TAR_HEADER_H
#define ARCHIVE_TAR_HEADER_H

#define TAR_BLOCK	512
#define TAR_OCTAL_MAX	077777777777ull /* what fits into a size field */

#define TAR_TYPE_FILE	'0'
#define TAR_TYPE_LINK	'2'
#define TAR_TYPE_FOLDER '5'
#define TAR_TYPE_PAX	'x' /* records for the next entry */
#define TAR_TYPE_GLOBAL 'g' /* for all */

struct tar_header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, target[100];
	char magic[6], version[2], owner[32], group[32], major[8], minor[8], prefix[155];
	char padding[12];
};

_Static_assert(sizeof(struct tar_header) == TAR_BLOCK, "a header is a block");

#endif
