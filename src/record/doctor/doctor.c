/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/i18n.h"
#include "base/vec.h"
#include "record/doctor/doctor.h"

bool doctor_read(char *ret, size_t size, const char *root, const char *name)
{
	struct buf text = BUF_INIT;
	bool found = !file_readf(&text, 65536, "%s/%s", root, name);

	if (found)
		snprintf(ret, size, "%.*s", (int)strcspn(buf_str(&text), "\n"), buf_str(&text));
	buf_release(&text);
	return found;
}

bool doctor_number(const char *root, const char *name, long long *ret)
{
	char text[64], *end;

	if (!doctor_read(text, sizeof(text), root, name))
		return false;
	*ret = strtoll(text, &end, 10);
	return end != text;
}

bool doctor_report(struct ptui_finding *f, enum ptui_health health, const char *means,
		   const char *lift)
{
	f->health = health;
	DOCTOR_SAY(f->means, "%s", means);
	DOCTOR_SAY(f->lift, "%s", lift ? lift : "");
	return true;
}

static int check_all(const struct doctor *d, const struct doctor_row *rows,
		     struct ptui_findings *ret, size_t *cap)
{
	for (; rows->key; rows++) {
		struct ptui_finding *f;

		if (vec_grow(&ret->v, cap, ret->n + 1))
			return -1;
		f = &ret->v[ret->n];
		memset(f, 0, sizeof(*f));
		f->group = _(rows->group);
		f->key = rows->key;
		if (rows->check(d, f))
			ret->n++;
	}
	return 0;
}

int doctor_run(const struct kernel_ops *ops, struct ptui_findings *ret, struct ptui_error *err)
{
	static const struct doctor_row *const tables[] = {
		doctor_settings, doctor_rights, doctor_hardware, doctor_surroundings, doctor_cost,
	};
	struct doctor d = { .ops = ops };
	size_t cap = 0;
	int bad = 0;

	memset(ret, 0, sizeof(*ret));
	d.catalog = catalog_new(&ops->roots);
	if (!d.catalog)
		return ptui_error_nomem(err);
	diagnose_rights(ops, &d.rights);
	d.paranoid = diagnose_paranoid(ops);
	d.may_all = diagnose_may_all(&d.rights);
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables) && !bad; i++)
		bad = check_all(&d, tables[i], ret, &cap);
	catalog_free(d.catalog);
	return bad ? ptui_error_nomem(err) : 0;
}

int ptui_doctor_run(struct ptui_findings *ret, struct ptui_error *err)
{
	return doctor_run(kernel_ops_real(), ret, err);
}

void ptui_findings_release(struct ptui_findings *findings)
{
	free(findings->v);
	memset(findings, 0, sizeof(*findings));
}

const char *ptui_health_name(enum ptui_health health)
{
	static const char *const names[] = {
		[PTUI_HEALTH_GOOD] = "good",	   [PTUI_HEALTH_NOTE] = "note",
		[PTUI_HEALTH_ABSENT] = "absent",   [PTUI_HEALTH_LIMITED] = "limited",
		[PTUI_HEALTH_REFUSED] = "refused",
	};

	return names[health];
}
