/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/script/script_fields.h"

#include <errno.h>
#include <string.h>
#include "base/buf.h"
#include "base/i18n.h"
#include "base/perf_abi.h"
#include "base/text.h"

#define F(id)	SCRIPT_FIELD(id)

#define START	(F(COMM) | F(TID) | F(CPU) | F(TIME) | F(EVENT))
#define ADDRESS (F(IP) | F(SYM) | F(SYMOFF) | F(DSO))

static const char *const field_names[SCRIPT_N_FIELDS] = {
#define FIELD_NAME(id, name) [SCRIPT_BIT_##id] = name,
	SCRIPT_FIELDS(FIELD_NAME)
#undef FIELD_NAME
};

static const struct {
	const char *name; /* before the colon, if `own` */
	bool own;
	uint64_t fields; /* by default, as far as the recording has them */
	uint64_t invalid;
} kinds[SCRIPT_KINDS] = {
	[SCRIPT_HARDWARE] = { "hw", true, START | ADDRESS | F(PERIOD), F(TRACE) | F(BPF_OUTPUT) },
	[SCRIPT_SOFTWARE] = { "sw", true, START | ADDRESS | F(PERIOD) | F(BPF_OUTPUT), F(TRACE) },
	[SCRIPT_TRACEPOINT] = { "trace", true, START | F(TRACE), 0 },
	[SCRIPT_CACHE] = { "cache", false, START | ADDRESS | F(PERIOD), F(TRACE) | F(BPF_OUTPUT) },
	[SCRIPT_RAW] = { "raw", true,
			 START | ADDRESS | F(PERIOD) | F(ADDR) | F(DATA_SRC) | F(WEIGHT) |
				 F(PHYS_ADDR) | F(DATA_PAGE_SIZE) | F(CODE_PAGE_SIZE) | F(INS_LAT),
			 F(TRACE) | F(BPF_OUTPUT) },
	[SCRIPT_BREAKPOINT] = { "break", true, START | ADDRESS | F(PERIOD),
				F(TRACE) | F(BPF_OUTPUT) },
	[SCRIPT_SYNTH] = { "synth", true, START | ADDRESS | F(SYNTH), F(TRACE) | F(BPF_OUTPUT) },
	[SCRIPT_OTHER] = { "other", false, START | ADDRESS | F(PERIOD), F(TRACE) | F(BPF_OUTPUT) },
};

/* What a field needs in sample_type, and the option of record that adds it; fields that need nothing are missing. */
static const struct need {
	uint64_t field, sample_type;
	const char *option;
} needs[] = {
	{ F(IP), PERF_SAMPLE_IP, NULL },
	{ F(ADDR), PERF_SAMPLE_ADDR, "-d" },
	{ F(DATA_SRC), PERF_SAMPLE_DATA_SRC, "-d" },
	{ F(WEIGHT), PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "-W" },
	{ F(PID), PERF_SAMPLE_TID, NULL },
	{ F(TID), PERF_SAMPLE_TID, NULL },
	{ F(TIME), PERF_SAMPLE_TIME, "-T" },
	{ F(CPU), PERF_SAMPLE_CPU, "--sample-cpu" },
	{ F(IREGS), PERF_SAMPLE_REGS_INTR, "-I" },
	{ F(UREGS), PERF_SAMPLE_REGS_USER, "--user-regs" },
	{ F(PHYS_ADDR), PERF_SAMPLE_PHYS_ADDR, "--phys-data" },
	{ F(DATA_PAGE_SIZE), PERF_SAMPLE_DATA_PAGE_SIZE, "--data-page-size" },
	{ F(CODE_PAGE_SIZE), PERF_SAMPLE_CODE_PAGE_SIZE, "--code-page-size" },
	{ F(INS_LAT), PERF_SAMPLE_WEIGHT_STRUCT, "-W" },
	{ F(RETIRE_LAT), PERF_SAMPLE_WEIGHT_STRUCT, "-W" },
	{ F(CGROUP), PERF_SAMPLE_CGROUP, "--all-cgroups" },
};

void script_fields_init(struct script_fields *f)
{
	memset(f, 0, sizeof(*f));
	for (size_t i = 0; i < SCRIPT_KINDS; i++)
		f->kinds[i].fields = kinds[i].fields;
}

/* ---- the language ---- */

static int kind_named(const char *text, size_t n)
{
	for (int i = 0; i < SCRIPT_KINDS; i++)
		if (kinds[i].own && strlen(kinds[i].name) == n && !strncmp(kinds[i].name, text, n))
			return i;
	return -1;
}

static int field_named(const char *text, size_t n)
{
	for (int i = 0; i < SCRIPT_N_FIELDS; i++)
		if (strlen(field_names[i]) == n && !strncmp(field_names[i], text, n))
			return i;
	return -1;
}

static int no_such_field(const char *text, size_t n, struct ptui_error *err)
{
	const char *near[1];
	struct buf word = BUF_INIT;

	buf_add(&word, text, n);
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
		       _("no such output field: '%s'; 'ptui script --help' lists them"),
		       buf_str(&word));
	if (text_nearest(buf_str(&word), field_names, SCRIPT_N_FIELDS, near, 1))
		ptui_error_hint(err, _("did you mean '%s'?"), near[0]);
	buf_release(&word);
	return -EINVAL;
}

static void apply(struct script_fields *f, int kind, uint64_t field, char sign)
{
	if (sign == '-') {
		f->kinds[kind].fields &= ~field;
		f->kinds[kind].asked &= ~field;
		f->kinds[kind].refused |= field;
	} else {
		f->kinds[kind].fields |= field;
		f->kinds[kind].asked |= field;
		f->kinds[kind].refused &= ~field;
	}
	if (field == F(FLAGS))
		return; /* leaves the default fields of tracepoints alone */
	f->kinds[kind].user_set = true;
	f->kinds[kind].for_all = true;
}

/* One word of the list; `kind` -1: all kinds that may have it. */
static int parse_word(struct script_fields *f, int kind, const char *text, size_t n, char sign,
		      struct ptui_error *err)
{
	int bit = field_named(text, n);
	uint64_t field;

	if (bit < 0)
		return no_such_field(text, n, err);
	field = 1ULL << bit;
	if (kind >= 0 && kinds[kind].invalid & field)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
				      _("events of kind '%s' have no field '%s'"), kinds[kind].name,
				      field_names[bit]);
	for (int k = kind < 0 ? 0 : kind; k <= (kind < 0 ? SCRIPT_KINDS - 1 : kind); k++)
		if (!(kinds[k].invalid & field))
			apply(f, k, field, sign);
	return 0;
}

static void clear_kinds(struct script_fields *f, int kind)
{
	for (int k = 0; k < SCRIPT_KINDS; k++) {
		if (kind >= 0 && k != kind)
			continue;
		f->kinds[k].fields = f->kinds[k].asked = 0;
		f->kinds[k].user_set = true;
		f->kinds[k].for_all = kind < 0;
	}
}

static bool has_signs(const char *text)
{
	return *text == '+' || *text == '-' || strstr(text, ",+") || strstr(text, ",-");
}

int script_fields_parse(struct script_fields *f, const char *text, struct ptui_error *err)
{
	const char *colon = strchr(text, ':'), *word;
	int kind = -1, ret = 0;
	char mode = 0; /* '+' for + and -, '=' for neither */

	if (colon) {
		kind = kind_named(text, (size_t)(colon - text));
		if (kind < 0)
			return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
					      _("no such kind of events: '%.*s'; there are hw, sw, "
						"trace, raw, break and synth"),
					      (int)(colon - text), text);
		text = colon + 1;
	} else if (!*text) {
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
				      _("the list of output fields is empty"));
	}
	if (!has_signs(text))
		clear_kinds(f, kind);
	for (word = text; *word && !ret;) {
		size_t n = strcspn(word, ",");
		char sign = *word == '+' || *word == '-' ? *word : '=';
		char now = sign == '=' ? '=' : '+';

		if (n && mode && mode != now)
			return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, text,
					      _("fields with and without + or - cannot be mixed"));
		if (n) {
			mode = now;
			ret = parse_word(f, kind, word + (sign != '='), n - (sign != '='), sign,
					 err);
		}
		word += n + (word[n] == ',');
	}
	return ret;
}

bool script_fields_is_list(const char *text)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct script_fields f;

	script_fields_init(&f);
	return !script_fields_parse(&f, text, &err);
}

/* ---- what a recording has ---- */

enum script_kind script_kind(const struct data_event *e)
{
	if (e->type == PTUI_TYPE_SYNTH)
		return SCRIPT_SYNTH;
	return e->type <= SCRIPT_BREAKPOINT ? (enum script_kind)e->type : SCRIPT_OTHER;
}

static bool is_dummy(const struct data_event *e)
{
	return e->type == PERF_TYPE_SOFTWARE && e->config == PERF_COUNT_SW_DUMMY;
}

static int lacks_field(const struct data_event *e, const struct need *need, struct ptui_error *err)
{
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
		       _("the samples of '%s' have no field '%s'"), e->name,
		       field_names[__builtin_ctzll(need->field)]);
	if (need->option)
		ptui_error_hint(err, _("record with %s"), need->option);
	return -EINVAL;
}

/* Whether branches of all kinds were recorded, so that the code between two of them ran. */
static bool has_all_branches(struct data_file *file)
{
	size_t n;

	if (data_feature(file, PTUI_FEAT_AUXTRACE, &n))
		return true;
	for (size_t i = 0; i < data_n_events(file); i++)
		if (data_event(file, i)->branch_sample_type & PERF_SAMPLE_BRANCH_ANY)
			return true;
	return false;
}

static int settle_kind(struct script_fields *f, int kind, struct data_file *file,
		       const struct data_event *e, struct ptui_error *err)
{
	uint64_t *fields = &f->kinds[kind].fields;

	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++) {
		if (!(*fields & needs[i].field) || e->sample_type & needs[i].sample_type)
			continue;
		if (f->kinds[kind].asked & needs[i].field)
			return lacks_field(e, &needs[i], err);
		*fields &= ~needs[i].field;
	}
	if (*fields & (F(SYM) | F(DSO)) && !(e->sample_type & (PERF_SAMPLE_IP | PERF_SAMPLE_ADDR)))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
				      _("the samples of '%s' have no address, and so no symbol and "
					"no DSO"),
				      e->name);
	if (*fields & F(SYMOFF) && !(*fields & F(SYM)))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
				      _("the field symoff requires the field sym"));
	if (*fields & (F(SRCLINE) | F(SRCCODE)) && !(*fields & F(IP)))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
				      _("the field %s requires the field ip"),
				      *fields & F(SRCLINE) ? "srcline" : "srccode");
	if (*fields & SCRIPT_BLOCKS && !has_all_branches(file))
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, NULL,
			_("the recording does not have all branches, so the code between them is unknown; "
			  "'ptui record -b' records them"));
	if (*fields & F(DSOFF))
		*fields |= F(DSO);
	return 0;
}

/* The first event of a kind decides, as in perf. */
static const struct data_event *first_of(struct data_file *file, int kind)
{
	for (size_t i = 0; i < data_n_events(file); i++) {
		const struct data_event *e = data_event(file, i);

		if ((int)script_kind(e) == kind && !is_dummy(e))
			return e;
	}
	return NULL;
}

int script_fields_settle(struct script_fields *f, struct data_file *file, bool chains,
			 struct ptui_error *err)
{
	int ret = 0;

	for (int k = 0; k < SCRIPT_KINDS && !ret; k++) {
		const struct data_event *e = first_of(file, k);

		if (e && f->kinds[k].fields)
			ret = settle_kind(f, k, file, e, err);
		else if (!e && f->kinds[k].user_set && !f->kinds[k].for_all && k != SCRIPT_SYNTH)
			ret = ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
					     _("the recording has no events of kind '%s'"),
					     kinds[k].name);
	}
	for (size_t i = 0; i < data_n_events(file) && chains; i++) {
		const struct data_event *e = data_event(file, i);

		if (script_kind(e) == SCRIPT_TRACEPOINT && e->sample_type & PERF_SAMPLE_CALLCHAIN &&
		    !f->kinds[SCRIPT_TRACEPOINT].user_set)
			f->kinds[SCRIPT_TRACEPOINT].fields |= ADDRESS;
	}
	return ret;
}
