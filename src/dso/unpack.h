/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the files of the dso room only: see unpack.c. */
#ifndef DSO_UNPACK_H
#define DSO_UNPACK_H

#include "base/buf.h"

#define DSO_UNPACKED_MAX ((size_t)256 << 20) /* bytes of an image */

/*
 * Appends the unpacked bytes to `out`. 0, -EBADMSG, -EFBIG, -ENOMEM, or -ENOTSUP: built without
 * liblzma, or zlib.
 */
int dso_unpack_zstd(const void *bytes, size_t n, struct buf *out);
int dso_unpack_gzip(const void *bytes, size_t n, struct buf *out);
int dso_unpack_xz(const void *bytes, size_t n, struct buf *out);

#endif
