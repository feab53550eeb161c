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
	int ret = o->holds ? 0 : data_writer_write(o->writer, iov, n, err);

	if (ret)
		return ret;
	for (int i = 0; o->holds && i < n; i++)
		o->held_bytes += iov[i].iov_len;
	outlet_show(o, iov, n);
	return o->past && past_add(o->past, iov, n) ? ptui_error_nomem(err) : 0;
}

int outlet_flush(struct outlet *o, struct ptui_error *err)
{
	struct iovec records;
	int ret = 0;

	if (!o->holds)
		return 0;
	records = past_unwritten(o->past);
	if (records.iov_len)
		ret = data_writer_write(o->writer, &records, 1, err);
	if (!ret)
		past_note_written(o->past);
	return ret;
}

uint64_t outlet_bytes(const struct outlet *o)
{
	return o->bytes_before + data_writer_bytes(o->writer);
}

uint64_t outlet_passed_bytes(const struct outlet *o)
{
	return outlet_bytes(o) + o->held_bytes;
}

uint64_t outlet_raw_bytes(const struct outlet *o)
{
	return o->raw_before + data_writer_raw_bytes(o->writer);
}
