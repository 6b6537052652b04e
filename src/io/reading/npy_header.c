/* The header of an NPY file: a Python dictionary of which only what numpy writes is taken. */
#include "io/reading/npy.h"

#include <string.h>

/* What else numpy stores, by the letter of its kind. */
static const struct {
    char kind;
    const char *name;
} refused[] = {
    {'c', "complex numbers"},
    {'O', "Python objects"},
    {'S', "text"},
    {'a', "text"},
    {'U', "text"},
    {'V', "raw bytes"},
    {'M', "dates"},
    {'m', "time spans"},
    {'f', "reals of another size"},
};

void ald_npy_swap(unsigned char *bytes, int64_t n, int size)
{
    for (int64_t i = 0; i < n; i++, bytes += size)
        for (int a = 0, b = size - 1; a < b; a++, b--) {
            const unsigned char byte = bytes[a];
            bytes[a] = bytes[b];
            bytes[b] = byte;
        }
}

typedef struct scanner {
    ald_run *run;
    const char *text, *at, *end;
} scanner;

static ald_status damaged(const scanner *s, const char *expected)
{
    return ald_fail(s->run->error, ALD_ERROR_FORMAT,
                    "the NPY header is damaged: expected %s at its byte %lld", expected,
                    (long long)(s->at - s->text) + 1);
}

static void skip_blanks(scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t')) s->at++;
}

/* 1 and moves on if the word is next. */
static int accept(scanner *s, const char *word)
{
    skip_blanks(s);
    const size_t length = strlen(word);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0) return 0;
    s->at += length;
    return 1;
}

static ald_status expect(scanner *s, const char *word)
{
    return accept(s, word) ? ALD_OK : damaged(s, word);
}

/* A quoted text without escapes: type codes and keys have none. */
static ald_status scan_text(scanner *s, const char **text, size_t *length)
{
    skip_blanks(s);
    if (s->at == s->end || (*s->at != '\'' && *s->at != '"')) return damaged(s, "a quoted text");
    const char *close = memchr(s->at + 1, *s->at, (size_t)(s->end - s->at - 1));
    if (!close) return damaged(s, "a quoted text that ends");
    *text = s->at + 1;
    *length = (size_t)(close - *text);
    s->at = close + 1;
    return ALD_OK;
}

static int machine_is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static ald_status refuse_type(const scanner *s, const char *code, size_t length)
{
    const char *holds = "an unknown type";
    for (size_t k = 0; length > 1 && k < sizeof refused / sizeof *refused; k++)
        if (refused[k].kind == code[1]) holds = refused[k].name;
    return ald_fail(
        s->run->error, ALD_ERROR_UNSUPPORTED,
        "the NPY file holds %s (type '%.*s'); numbers of type f4, f8, i1 to i8, u1 to u8 and bool can be "
        "read: convert it with array.astype(float)",
        holds, (int)(length < 40 ? length : 40), code);
}

static ald_status scan_type(scanner *s, ald_npy_header *header)
{
    const char *code;
    size_t length;
    skip_blanks(s);
    if (s->at < s->end && *s->at == '[')
        return ald_fail(
            s->run->error, ALD_ERROR_UNSUPPORTED,
            "the NPY file holds a structured array (named fields); save a plain matrix of numbers instead");
    ALD_TRY(scan_text(s, &code, &length));
    const ald_binary_type *found = length == 3 ? ald_binary_type_find(code + 1) : NULL;
    const char order = length ? *code : '\0';
    if (!found || !strchr("<>=|", order) || (order == '|' && found->size > 1))
        return refuse_type(s, code, length);
    header->type = found;
    header->swapped = found->size > 1 && order == (machine_is_little_endian() ? '>' : '<');
    return ALD_OK;
}

static ald_status scan_order(scanner *s, ald_npy_header *header)
{
    header->fortran = accept(s, "True");
    return header->fortran || accept(s, "False") ? ALD_OK : damaged(s, "True or False");
}

static ald_status scan_extent(scanner *s, int64_t *extent)
{
    skip_blanks(s);
    if (s->at == s->end || *s->at < '0' || *s->at > '9') return damaged(s, "a whole number");
    int64_t value = 0;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *s->at - '0', &value))
            return damaged(s, "a number that fits 63 bits");
    accept(s, "L"); /* Python 2 wrote long numbers so */
    *extent = value;
    return ALD_OK;
}

/* "()", "(3,)", "(3, 4)", "(3, 4, 5)" ... */
static ald_status scan_shape(scanner *s, ald_npy_header *header)
{
    int64_t extents[2] = {0, 1};
    int dims = 0;
    ALD_TRY(expect(s, "("));
    while (!accept(s, ")")) {
        int64_t extent = 0;
        ALD_TRY(scan_extent(s, &extent));
        if (dims < 2) extents[dims] = extent;
        dims++;
        if (!accept(s, ",") && (dims == 1 || s->at == s->end || *s->at != ')')) return damaged(s, "a comma");
    }
    if (dims < 1 || dims > 2)
        return ald_fail(
            s->run->error, ALD_ERROR_UNSUPPORTED,
            "the NPY file holds an array of %d dimensions; a matrix has 2 (rows are samples), a single "
            "column 1: reshape it before saving",
            dims);
    header->rows = extents[0];
    header->cols = extents[1];
    return ALD_OK;
}

static ald_status scan_dictionary(scanner *s, ald_npy_header *header)
{
    static const struct {
        const char *key;
        ald_status (*scan)(scanner *s, ald_npy_header *header);
    } fields[] = {{"descr", scan_type}, {"fortran_order", scan_order}, {"shape", scan_shape}};
    enum { n_fields = sizeof fields / sizeof *fields };
    int seen[n_fields] = {0};
    ALD_TRY(expect(s, "{"));
    while (!accept(s, "}")) {
        const char *key;
        size_t length;
        ALD_TRY(scan_text(s, &key, &length));
        int k = 0;
        while (k < n_fields && (strlen(fields[k].key) != length || memcmp(fields[k].key, key, length) != 0))
            k++;
        if (k == n_fields || seen[k]++)
            return damaged(s, "each of the keys descr, fortran_order and shape once");
        ALD_TRY(expect(s, ":"));
        ALD_TRY(fields[k].scan(s, header));
        if (!accept(s, ",") && (s->at == s->end || *s->at != '}')) return damaged(s, "a comma or }");
    }
    skip_blanks(s);
    if (s->at != s->end) return damaged(s, "nothing more");
    for (int k = 0; k < n_fields; k++)
        if (!seen[k]) return damaged(s, "all of the keys descr, fortran_order and shape");
    return ALD_OK;
}

ald_status ald_npy_header_parse(ald_run *run, const char *text, size_t length, ald_npy_header *header)
{
    scanner s = {.run = run, .text = text, .at = text, .end = text + length};
    memset(header, 0, sizeof *header);
    ALD_TRY(scan_dictionary(&s, header));
    int64_t count;
    if (__builtin_mul_overflow(header->rows, header->cols, &count) ||
        count > INT64_MAX / (int64_t)sizeof(double))
        return ald_fail(run->error, ALD_ERROR_FORMAT,
                        "the NPY header claims %lld x %lld values, more than memory can hold",
                        (long long)header->rows, (long long)header->cols);
    return ALD_OK;
}
