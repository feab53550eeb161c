/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The build-ids of a recording's table are matched to modules, whatever names the table uses. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "base/perf_abi.h"
#include "data/write/feature_payload.h"
#include "data/write/writer.h"
#include "lib/need.h"
#include "session/buildid/buildid_table.h"
#include "unit/dso/scratch.h"

static const uint8_t ID[20] = { 1, 2, 3 };

/* The build-id of a map from a table of one entry: its first byte, 0: none. */
static int build_id_of(const char *map, bool kernel, const char *listed, uint16_t misc)
{
	struct data_record rec = { .type = PERF_RECORD_MMAP2,
				   .misc = kernel ? DATA_MODE_KERNEL : DATA_MODE_USER };
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = PTUI_ATTR_SIZE_VER5 };
	struct data_build_id item = { .path = listed, .pid = -1, .misc = misc, .bytes = 20 };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf table = BUF_INIT;
	struct data_writer *writer;
	struct data_file *file;
	struct strpool names;
	struct scratch s;
	struct machine *m;
	uint64_t id = 1;
	char path[600];
	int ret;

	assert_int_equal(scratch_init(&s), 0);
	snprintf(path, sizeof(path), "%s", scratch_path(&s, "perf.data"));
	memcpy(item.id, ID, 20);
	feature_build_id(&table, &item);
	writer = data_writer_new(path, &err);
	assert_non_null(writer);
	assert_int_equal(data_writer_add_event(writer, &attr, "e", &id, 1), 0);
	assert_int_equal(data_writer_begin(writer, &err), 0);
	assert_int_equal(data_writer_add_feature(writer, PTUI_FEAT_BUILD_ID, table.data, table.len),
			 0);
	assert_int_equal(data_writer_finish(writer, &err), 0);
	data_writer_free(writer);
	buf_release(&table);
	file = data_open(path, &err, NULL);
	assert_non_null(file);

	assert_int_equal(strpool_init(&names), 0);
	m = machine_new(&names);
	assert_non_null(m);
	rec.mmap = (struct data_mmap){ .pid = kernel ? -1 : 1,
				       .start = 0xffffffff81000000,
				       .len = 0x1000,
				       .prot = PROT_EXEC,
				       .path = map };
	assert_int_equal(machine_add(m, &rec, 0), 0);
	assert_int_equal(buildid_add_recorded(file, m, &names), 0);
	assert_int_equal(machine_seal(m), 0);
	ret = machine_module(m, 0)->build_id_bytes ? machine_module(m, 0)->build_id[0] : 0;
	machine_free(m);
	strpool_release(&names);
	data_close(file);
	scratch_release(&s);
	return ret;
}

static void test_kernel(void **state)
{
	static const char *const listed[] = {
		"[kernel.kallsyms]",
		"[kernel.kallsyms]_text",
		"[kernel.vmlinux]",
		"/boot/vmlinux",
		"/lib/modules/6.1.0/build/vmlinux",
		"/usr/lib/debug/boot/vmlinux-6.1.0",
		"/proc/kcore",
		"vmlinux",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(listed) / sizeof(listed[0]); i++)
		assert_int_equal(build_id_of("[kernel.kallsyms]_text", true, listed[i],
					     PERF_RECORD_MISC_KERNEL),
				 1);
	/* a program of that name, the guest's kernel, a module */
	assert_int_equal(build_id_of("[kernel.kallsyms]_text", true, "/boot/vmlinux",
				     PERF_RECORD_MISC_USER),
			 0);
	assert_int_equal(build_id_of("[kernel.kallsyms]_text", true, "[guest.kernel.kallsyms]",
				     PERF_RECORD_MISC_GUEST_KERNEL),
			 0);
	assert_int_equal(
		build_id_of("[kernel.kallsyms]_text", true, "[nf_x]", PERF_RECORD_MISC_KERNEL), 0);
}

static void test_module(void **state)
{
	static const char *const names[] = { "[nf_x]", "/lib/modules/6.1.0/kernel/net/nf-x.ko",
					     "/lib/modules/6.1.0/kernel/net/nf-x.ko.xz" };

	(void)state;
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < 3; k++)
			assert_int_equal(
				build_id_of(names[i], true, names[k], PERF_RECORD_MISC_KERNEL), 1);
	assert_int_equal(build_id_of("[nf_y]", true, names[1], PERF_RECORD_MISC_KERNEL), 0);
}

static void test_file(void **state)
{
	(void)state;
	assert_int_equal(build_id_of("/lib/x.so", false, "/lib/x.so", PERF_RECORD_MISC_USER), 1);
	assert_int_equal(build_id_of("/lib/x.so", false, "/usr/lib/x.so", PERF_RECORD_MISC_USER),
			 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_module),
		cmocka_unit_test(test_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
