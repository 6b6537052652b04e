/* JSON text for the page; arrays of numbers are base64. */
#include "show/report/page_data.h"

#include "base/core/text.h"
#include "base/numbers/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void ald_page_begin(ald_page *page, ald_run *run)
{
    *page = (ald_page){.run = run};
    ald_text_init(&page->text, &run->scratch);
}

ald_status ald_page_status(const ald_page *page)
{
    return page->status;
}

static void add(ald_page *page, const char *bytes, size_t length)
{
    if (page->status >= 0) page->status = ald_text_add(page->run, &page->text, bytes, length);
}

static void add_text(ald_page *page, const char *text)
{
    add(page, text, strlen(text));
}

/* A comma, unless the value is the first of its list or follows its key. */
static void separate(ald_page *page)
{
    const size_t length = page->text.length;
    if (length > 0 && !strchr("{[:", page->text.data[length - 1])) add(page, ",", 1);
}

void ald_page_key(ald_page *page, const char *key)
{
    separate(page);
    add(page, "\"", 1);
    add_text(page, key);
    add(page, "\":", 2);
}

void ald_page_open(ald_page *page, char bracket)
{
    separate(page);
    add(page, &bracket, 1);
}

void ald_page_close(ald_page *page, char bracket)
{
    add(page, &bracket, 1);
}

void ald_page_null(ald_page *page)
{
    separate(page);
    add_text(page, "null");
}

void ald_page_bool(ald_page *page, int value)
{
    separate(page);
    add_text(page, value ? "true" : "false");
}

void ald_page_whole(ald_page *page, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    separate(page);
    add_text(page, text);
}

void ald_page_real(ald_page *page, double value)
{
    char text[ALD_REAL_TEXT_SIZE];
    if (!isfinite(value)) {
        ald_page_null(page);
        return;
    }
    ald_format_real(value, text);
    separate(page);
    add_text(page, text);
}

/* One sequence of valid UTF-8. U+2028 and U+2029 are e2 80 a8 and e2 80 a9. */
static void add_character(ald_page *page, const char *at, int length)
{
    const unsigned char first = (unsigned char)*at;
    char escaped[8] = "";
    if (length == 1 && (first < 0x20 || strchr("\"\\<>&\x7f", first)))
        snprintf(escaped, sizeof escaped, "\\u%04x", first);
    if (length == 3 && (memcmp(at, "\xe2\x80\xa8", 3) == 0 || memcmp(at, "\xe2\x80\xa9", 3) == 0))
        snprintf(escaped, sizeof escaped, "\\u202%c", at[2] == '\xa8' ? '8' : '9');
    if (*escaped)
        add_text(page, escaped);
    else
        add(page, at, (size_t)length);
}

void ald_page_string(ald_page *page, const char *text)
{
    if (!text) {
        ald_page_null(page);
        return;
    }
    if (page->status < 0) return;
    const char *valid = ald_utf8_copy(&page->run->scratch, text, strlen(text));
    if (!valid) {
        page->status = ald_out_of_memory(page->run, (int64_t)strlen(text), 2, 1);
        return;
    }
    separate(page);
    add(page, "\"", 1);
    for (size_t left = strlen(valid); left > 0;) {
        const int length = ald_utf8_sequence(valid, left);
        add_character(page, valid, length);
        valid += length;
        left -= (size_t)length;
    }
    add(page, "\"", 1);
}

void ald_page_text_of(ald_page *page, const char *key, const char *text)
{
    ald_page_key(page, key);
    ald_page_string(page, text);
}

void ald_page_real_of(ald_page *page, const char *key, double value)
{
    ald_page_key(page, key);
    ald_page_real(page, value);
}

void ald_page_whole_of(ald_page *page, const char *key, int64_t value)
{
    ald_page_key(page, key);
    ald_page_whole(page, value);
}

void ald_page_open_of(ald_page *page, const char *key, char bracket)
{
    ald_page_key(page, key);
    ald_page_open(page, bracket);
}

int ald_page_open_if(ald_page *page, const char *key, int known, char bracket)
{
    if (known) ald_page_open_of(page, key, bracket);
    if (!known) ald_page_null_of(page, key);
    return known;
}

void ald_page_null_of(ald_page *page, const char *key)
{
    ald_page_key(page, key);
    ald_page_null(page);
}

static double value_of(const ald_page_column *column, int64_t i)
{
    const double value = column->values[(column->rows ? column->rows[i] : i) * column->step];
    return isnan(value) ? (double)NAN : value; /* one of the many NaN, so that the bytes are the same */
}

static void put_bytes(uint64_t bits, int size, unsigned char *bytes)
{
    for (int k = 0; k < size; k++) bytes[k] = (unsigned char)(bits >> 8 * k);
}

/* A column goes through a buffer of whole groups of three bytes, so that the parts of base64 join. */
enum { at_a_time = 3 * 1024 };

typedef void (*put_value)(const void *column, int64_t i, unsigned char *bytes);

static void add_column(ald_page *page, const char *type, int size, int64_t count, const void *column,
                       put_value put)
{
    unsigned char bytes[8 * at_a_time];
    ald_page_open(page, '{');
    ald_page_key(page, type);
    add(page, "\"", 1);
    for (int64_t i = 0; i < count && page->status >= 0;) {
        size_t filled = 0;
        for (int k = 0; k < at_a_time && i < count; k++, i++, filled += (size_t)size)
            put(column, i, bytes + filled);
        page->status = ald_base64_add(page->run, &page->text, bytes, filled);
    }
    add(page, "\"", 1);
    ald_page_close(page, '}');
}

static void put_f64(const void *column, int64_t i, unsigned char *bytes)
{
    const double value = value_of(column, i);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bytes(bits, 8, bytes);
}

/* What is too large for a float is no value, as nothing can be drawn of it. */
static void put_f32(const void *column, int64_t i, unsigned char *bytes)
{
    const double value = value_of(column, i);
    const float small = fabs(value) <= 3.4e38 ? (float)value : NAN;
    uint32_t bits;
    memcpy(&bits, &small, sizeof bits);
    put_bytes(bits, 4, bytes);
}

static void put_u16(const void *column, int64_t i, unsigned char *bytes)
{
    const double value = value_of(column, i);
    put_bytes(value >= 0.0 && value < 65535.0 ? (uint64_t)value : 65535, 2, bytes);
}

static void put_u8(const void *column, int64_t i, unsigned char *bytes)
{
    *bytes = ((const unsigned char *)column)[i];
}

static void put_u32(const void *column, int64_t i, unsigned char *bytes)
{
    put_bytes((uint64_t)((const int64_t *)column)[i], 4, bytes);
}

void ald_page_f64(ald_page *page, ald_page_column column)
{
    add_column(page, "f64", 8, column.count, &column, put_f64);
}

void ald_page_f32(ald_page *page, ald_page_column column)
{
    if (!column.values)
        ald_page_null(page);
    else
        add_column(page, "f32", 4, column.count, &column, put_f32);
}

void ald_page_u16(ald_page *page, ald_page_column column)
{
    add_column(page, "u16", 2, column.count, &column, put_u16);
}

void ald_page_u8_list(ald_page *page, const unsigned char *values, int64_t count)
{
    add_column(page, "u8", 1, count, values, put_u8);
}

void ald_page_u32_list(ald_page *page, const int64_t *values, int64_t count)
{
    add_column(page, "u32", 4, count, values, put_u32);
}

/* Bytes as text: base64 (RFC 4648) with padding. */

/* 3 bytes are 24 bits are 4 letters; what is missing at the end is '='. */
static void encode_three(const unsigned char *bytes, size_t left, char letters[4])
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned b = left > 1 ? bytes[1] : 0, c = left > 2 ? bytes[2] : 0;
    const unsigned bits = (unsigned)bytes[0] << 16 | b << 8 | c;
    letters[0] = alphabet[bits >> 18];
    letters[1] = alphabet[bits >> 12 & 63];
    letters[2] = '=';
    letters[3] = '=';
    if (left > 1) letters[2] = alphabet[bits >> 6 & 63];
    if (left > 2) letters[3] = alphabet[bits & 63];
}

ald_status ald_base64_add(ald_run *run, ald_text *text, const void *bytes, size_t size)
{
    enum { groups = 256 }; /* at a time */
    const unsigned char *all = bytes;
    char letters[4 * groups];
    for (size_t done = 0; done < size;) {
        size_t filled = 0;
        for (; filled < sizeof letters && done < size; filled += 4, done += 3)
            encode_three(all + done, size - done, letters + filled);
        ALD_TRY(ald_text_add(run, text, letters, filled));
    }
    return ALD_OK;
}
