/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Foreign text: escaping, measuring, truncating, quoting. */
#include <endian.h>
#include <inttypes.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>
#include "base/text.h"

/* Invisible characters that reorder the text around them; iswprint() accepts them. */
static bool is_bidi_control(wchar_t wc)
{
	return (wc >= 0x202a && wc <= 0x202e) || (wc >= 0x2066 && wc <= 0x2069);
}

static bool is_plain_ascii(char c)
{
	return c >= ' ' && c <= '~';
}

/* Eight characters at once: of one below ' ' or above '~', the highest bit is set by one of these. */
bool text_is_plain(const char *s, size_t n)
{
	const uint64_t each = 0x0101010101010101, high = 0x80 * each;
	uint64_t other = 0;
	size_t i = 0;

	for (; i + sizeof(uint64_t) <= n; i += sizeof(uint64_t)) {
		uint64_t v;

		memcpy(&v, s + i, sizeof(v));
		/* without a carry into the next one, as far as all are ASCII */
		other |= v | (((v | high) - ' ' * each) ^ high) | ((v & ~high) + each);
	}
	for (; i < n; i++)
		other |= is_plain_ascii(s[i]) ? 0 : high;
	return !(other & high);
}

/* Decodes one character of the locale. Returns its bytes; 0: not a valid start, or incomplete. */
static size_t decode(const char *s, size_t left, wchar_t *ret_wc)
{
	mbstate_t state;
	size_t n;

	memset(&state, 0, sizeof(state));
	n = mbrtowc(ret_wc, s, left, &state);
	return n == (size_t)-1 || n == (size_t)-2 ? 0 : n;
}

static void add_hex(struct buf *out, const char *s, size_t n)
{
	while (n--)
		buf_addf(out, "\\x%02x", (unsigned char)*s++);
}

void text_escape_n(struct buf *out, const char *s, size_t left)
{
	buf_add(out, "", 0); /* "" results in "" */
	while (left) {
		size_t n = 0;
		wchar_t wc;

		while (n < left && is_plain_ascii(s[n]))
			n++;
		if (n) {
			buf_add(out, s, n);
		} else if (*s == '\n' || *s == '\t') {
			buf_add_str(out, *s == '\n' ? "\\n" : "\\t");
			n = 1;
		} else {
			n = decode(s, left, &wc);
			if (n && iswprint((wint_t)wc) && !is_bidi_control(wc)) {
				buf_add(out, s, n);
			} else {
				n = n ? n : 1;
				add_hex(out, s, n);
			}
		}
		s += n;
		left -= n;
	}
}

void text_escape(struct buf *out, const char *s)
{
	text_escape_n(out, s, strlen(s));
}

size_t text_width(const char *s)
{
	size_t left = strlen(s);
	size_t columns = 0;

	while (left) {
		size_t n = 1;
		wchar_t wc;

		if (is_plain_ascii(*s)) {
			columns++;
		} else {
			n = decode(s, left, &wc);
			if (n) {
				int width = wcwidth(wc);

				columns += width > 0 ? (size_t)width : 0;
			} else {
				n = 1;
				columns++;
			}
		}
		s += n;
		left -= n;
	}
	return columns;
}

size_t text_utf8_floor(const char *s, size_t len)
{
	size_t start = len;
	size_t want;
	unsigned char lead;

	/* back over at most three continuation bytes to the lead byte */
	while (start && len - start < 3 && ((unsigned char)s[start - 1] & 0xc0) == 0x80)
		start--;
	if (!start)
		return len;
	lead = (unsigned char)s[start - 1];
	if (lead >= 0xf0 && lead <= 0xf4)
		want = 4;
	else if (lead >= 0xe0 && lead < 0xf0)
		want = 3;
	else if (lead >= 0xc2 && lead < 0xe0)
		want = 2;
	else
		return len; /* ASCII, or not UTF-8 */
	return len - (start - 1) < want ? start - 1 : len;
}

void text_json(struct buf *out, const char *text)
{
	buf_add_char(out, '"');
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c == '"' || *c == '\\')
			buf_addf(out, "\\%c", *c);
		else if (*c < 0x20 || *c == 0x7f)
			buf_addf(out, "\\u%04x", *c);
		else
			buf_add_char(out, (char)*c);
	}
	buf_add_char(out, '"');
}

/* ---- numbers ---- */

static char group_separator[8];

void text_set_numbers(void)
{
	const char *separator = localeconv()->thousands_sep;

	/* next to a decimal point it would look like one */
	if (!strcmp(separator, "."))
		separator = " ";
	if (!*separator)
		separator = ","; /* of the locale C */
	if (strlen(separator) < sizeof(group_separator))
		memcpy(group_separator, separator, strlen(separator) + 1);
	setlocale(LC_NUMERIC, "C");
}

char *text_grouped(char *buf, size_t size, uint64_t value)
{
	return text_grouped_from(5, buf, size, value);
}

char *text_grouped_from(unsigned n_digits, char *buf, size_t size, uint64_t value)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%" PRIu64, value);
	size_t len = 0;

	buf[0] = 0;
	for (int i = 0; i < n && len < size; i++)
		len += (size_t)snprintf(
			buf + len, size - len, "%s%c",
			n >= (int)n_digits && i && (n - i) % 3 == 0 ? group_separator : "",
			digits[i]);
	return buf;
}

size_t text_decimal(char *buf, uint64_t value)
{
	char digits[TEXT_NUMBER_BYTES];
	size_t n = 0;

	do
		digits[n++] = (char)('0' + value % 10);
	while (value /= 10);
	for (size_t i = 0; i < n; i++)
		buf[i] = digits[n - 1 - i];
	buf[n] = '\0';
	return n;
}

/*
 * A double is m * 2^-shift. m has 53 bits, so 100 * m is exact in 64, and so is the remainder that
 * decides about rounding: to the nearest, a tie to the even digit.
 */
size_t text_percent(char *buf, double percent)
{
	uint64_t bits, scaled, hundredths = 0, rest = 0;
	unsigned shift;
	size_t n;

	memcpy(&bits, &percent, sizeof(bits));
	/* of most rows in a report; the double of 0.005 is a little more than that */
	if (percent >= 0 && percent < 0.005) {
		memcpy(buf, "0.00%", sizeof("0.00%"));
		return strlen("0.00%");
	}
	shift = 1075 - (unsigned)(bits >> 52);
	if (shift - 1 >= 1074) /* negative, not finite, subnormal, or so large that it is whole */
		return (size_t)snprintf(buf, TEXT_NUMBER_BYTES, "%.2f%%", percent);
	scaled = ((bits & ((1ULL << 52) - 1)) | 1ULL << 52) * 100;
	if (shift < 64) {
		hundredths = scaled >> shift;
		rest = scaled << (64 - shift);
	}
	hundredths += rest > 1ULL << 63 || (rest == 1ULL << 63 && (hundredths & 1));
	n = text_decimal(buf, hundredths / 100);
	buf[n++] = '.';
	buf[n++] = (char)('0' + hundredths / 10 % 10);
	buf[n++] = (char)('0' + hundredths % 10);
	buf[n++] = '%';
	buf[n] = '\0';
	return n;
}

/* Eight digits: each in a byte, the first one in the highest. */
static uint64_t hex_digits(uint64_t v)
{
	const uint64_t each = 0x0101010101010101;
	uint64_t letters;

	v = (v << 16 | v) & 0x0000ffff0000ffff;
	v = (v << 8 | v) & 0x00ff00ff00ff00ff;
	v = (v << 4 | v) & 0x0f0f0f0f0f0f0f0f;
	letters = (v + 6 * each) >> 4 & each;
	return v + '0' * each + letters * ('a' - '0' - 10);
}

char *text_hex16(char *to, uint64_t value)
{
	uint64_t high = htobe64(hex_digits(value >> 32));
	uint64_t low = htobe64(hex_digits(value & UINT32_MAX));

	memcpy(to, &high, sizeof(high));
	memcpy(to + sizeof(high), &low, sizeof(low));
	return to + sizeof(high) + sizeof(low);
}

void text_unescape_octal(char *s)
{
	char *to = s;

	for (; *s; s++, to++) {
		*to = *s;
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
		    s[3] >= '0' && s[3] <= '7') {
			*to = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
			s += 3;
		}
	}
	*to = '\0';
}

const char *text_number(const char *s, uint64_t max, uint64_t *ret)
{
	uint64_t value = 0;

	if (*s < '0' || *s > '9')
		return NULL;
	for (; *s >= '0' && *s <= '9'; s++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*s - '0'), &value) || value > max)
			return NULL;
	*ret = value;
	return s;
}
