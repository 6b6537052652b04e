/* The fuzz target for short texts with a meaning, by the first byte: numbers, numbers of components, grids,
 * lists of methods. Numbers are compared with the C library. */
#include "base/numbers/number.h"
#include "fuzz/fuzzing.h"
#include "judge/choosing/search.h"

#include <alidade/alidade.h>
#include <math.h>
#include <string.h>

static void read_number(const char *text)
{
    char again[ALD_REAL_TEXT_SIZE];
    char *end;
    double value, back;
    int64_t whole;
    ald_parse_int(text, strlen(text), &whole);
    if (!ald_parse_real(text, strlen(text), &value)) return;
    const double expected = strtod(text, &end);
    if (*end || memcmp(&expected, &value, sizeof value) != 0) abort();
    if (!isfinite(value)) return;
    const int length = ald_format_real(value, again);
    if (!ald_parse_real(again, (size_t)length, &back) || memcmp(&back, &value, sizeof value) != 0) abort();
}

static void read_dims(const char *text)
{
    const ald_context context = fuzzing_context();
    ald_run run;
    ald_error error;
    int64_t *dims;
    int count = 0;
    ald_run_begin(&run, &context, &error);
    const ald_status status = ald_dims_read(&run, &run.scratch, text, &dims, &count);
    fuzzing_expect_message(status, &error);
    for (int k = 1; status >= 0 && k < count; k++)
        if (dims[k] <= dims[k - 1]) abort();
    ald_run_end(&run, status);
}

static void read_grid(const char *text)
{
    char *values = NULL;
    ald_error error;
    fuzzing_expect_message(ald_grid_list(fuzzing_public(), text, &values, &error), &error);
    ald_text_free(fuzzing_public(), values);
}

static void read_methods(const char *text)
{
    int only_real;
    ald_error error;
    fuzzing_expect_message(ald_methods_check(text, &only_real, &error), &error);
}

static void (*const readers[])(const char *text) = {read_number, read_dims, read_grid, read_methods};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    if (size) readers[bytes[0] & 3](text + 1);
    free(text);
    return 0;
}
