/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/outlet.h"

void outlet_release(struct outlet *o)
{
	data_writer_free(o->writer);
	o->writer = NULL;
	past_free(o->past);
	o->past = NULL;
}

void outlet_show(const struct outlet *o, const struct iovec *iov, int n)
{
	if (o->seen && n)
		o->seen(o->seen_ctx, iov, n);
}

int outlet_put(struct outlet *o, const struct iovec *iov, int n, struct ptui_error *err)
{
	int ret = data_writer_write(o->writer, iov, n, err);

	if (ret)
		return ret;
	outlet_show(o, iov, n);
	return o->past && past_add(o->past, iov, n) ? ptui_error_nomem(err) : 0;
}

uint64_t outlet_bytes(const struct outlet *o)
{
	return o->bytes_before + data_writer_bytes(o->writer);
}

uint64_t outlet_raw_bytes(const struct outlet *o)
{
	return o->raw_before + data_writer_raw_bytes(o->writer);
}
