/* Grids of values as text: a list with commas whose parts are values, or ranges that are written out,
 *   log:LOW:HIGH:COUNT   evenly by logarithms, 0 < LOW < HIGH, both ends included
 *   lin:LOW:HIGH:COUNT   evenly
 * COUNT is left out only where values are drawn. */
#include "judge/choosing/search.h"

#include "base/core/error.h"
#include "base/numbers/number.h"
#include "base/numbers/random.h"

#include <alidade/candidates.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Count 0: not given. */
typedef struct range {
    int logarithmic;
    double low, high;
    int64_t count;
} range;

enum { most_values = 1000, most_words = 4 };

/* The words of a text between colons; how many, at most most_words + 1. */
static int cut(const char *text, size_t length, const char **words, size_t *lengths)
{
    int n = 0;
    for (size_t at = 0; at <= length && n <= most_words; n++) {
        size_t end = at;
        while (end < length && text[end] != ':') end++;
        if (n < most_words) {
            words[n] = text + at;
            lengths[n] = end - at;
        }
        at = end + 1;
    }
    return n;
}

/* 1: a range, 0: none, -1: a wrong one. */
static int read_range(const char *text, size_t length, range *r)
{
    const char *words[most_words];
    size_t lengths[most_words];
    if (length < 4 || (strncmp(text, "log:", 4) != 0 && strncmp(text, "lin:", 4) != 0)) return 0;
    const int n = cut(text, length, words, lengths);
    *r = (range){.logarithmic = text[1] == 'o'};
    if (n < 3 || n > most_words) return -1;
    if (!ald_parse_real(words[1], lengths[1], &r->low) || !ald_parse_real(words[2], lengths[2], &r->high))
        return -1;
    if (n == most_words && !ald_parse_int(words[3], lengths[3], &r->count)) return -1;
    if (n == most_words && (r->count < 2 || r->count > most_values)) return -1;
    if (!isfinite(r->low) || !isfinite(r->high)) return -1;
    return r->low < r->high && (!r->logarithmic || r->low > 0.0) ? 1 : -1;
}

/* The value at part u of the range. The ends are met exactly. */
static double value_at(const range *r, double u)
{
    if (u <= 0.0) return r->low;
    if (u >= 1.0) return r->high;
    return r->logarithmic ? exp(log(r->low) + u * log(r->high / r->low)) : r->low + u * (r->high - r->low);
}

static ald_status wrong_range(ald_run *run, const char *name, const char *text, size_t length)
{
    return ald_fail(
        run->error, ALD_ERROR_ARGUMENT,
        "`grids=%s=%.*s`: a range is log:LOW:HIGH:COUNT or lin:LOW:HIGH:COUNT, LOW below HIGH and, for log, "
        "above 0, COUNT from 2 to %d; only `random` needs no COUNT",
        name, length < 100 ? (int)length : 100, text, most_values);
}

static ald_status no_values(ald_run *run, const char *name)
{
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "`grids=%s=` has no values, or an empty one: write for example `grids=%s=0,1,10`", name,
                    name);
}

static ald_status write_part(ald_run *run, const char *name, const char *text, size_t length, ald_text *list)
{
    range r;
    const int kind = read_range(text, length, &r);
    if (kind == 0) return ald_text_add(run, list, text, length);
    if (kind < 0 || r.count == 0) return wrong_range(run, name, text, length);
    for (int64_t i = 0; i < r.count; i++)
        ALD_TRY(ald_text_print(run, list, "%s%.6g", i ? "," : "",
                               value_at(&r, (double)i / (double)(r.count - 1))));
    return ALD_OK;
}

ald_status ald_grid_write(ald_run *run, const ald_grid *grid, ald_text *list)
{
    const char *at = grid->values;
    for (int more = 1; more;) {
        const size_t length = strcspn(at, ",");
        if (length == 0) return no_values(run, grid->name);
        if (at > grid->values) ALD_TRY(ald_text_add(run, list, ",", 1));
        ALD_TRY(write_part(run, grid->name, at, length, list));
        at += length;
        more = *at == ',';
        at += more;
    }
    return ALD_OK;
}

/* Word number `index` of a list with commas (negative: none); how many there are before it, or in all. */
static int64_t word_at(const char *list, int64_t index, const char **word, size_t *length)
{
    int64_t count = 0;
    for (const char *at = list; *at; count++) {
        *length = strcspn(at, ",");
        *word = at;
        if (count == index) return count;
        at += *length;
        at += *at == ',';
    }
    return count;
}

static double uniform(uint64_t seed, uint64_t index)
{
    ald_random random;
    ald_random_seed(&random, seed, index);
    return ald_random_uniform(&random);
}

ald_status ald_grid_draw(ald_run *run, const ald_grid *grid, uint64_t seed, uint64_t index, char *value,
                         size_t size)
{
    const char *word = NULL;
    size_t length = 0;
    range r;
    const int64_t count = word_at(grid->values, -1, &word, &length);
    if (count == 0) return no_values(run, grid->name);
    const double u = uniform(seed, index) * (double)count;
    word_at(grid->values, (int64_t)u, &word, &length);
    if (length == 0 || length >= size) return no_values(run, grid->name);
    const int kind = read_range(word, length, &r);
    if (kind < 0) return wrong_range(run, grid->name, word, length);
    if (kind == 0)
        snprintf(value, size, "%.*s", (int)length, word);
    else
        snprintf(value, size, grid->whole ? "%.0f" : "%.6g", value_at(&r, u - floor(u)));
    return ALD_OK;
}

ald_status ald_grid_list(ald_context *context, const char *grid, char **values, ald_error *error)
{
    const ald_grid given = {.name = "parameter", .values = grid};
    ald_run run;
    ald_text list;
    if (values) *values = NULL;
    ALD_GIVEN(error, context, grid, values);
    ald_run_begin(&run, context, error);
    ald_text_init(&list, &run.scratch);
    ald_status status = ald_grid_write(&run, &given, &list);
    if (status >= 0) status = ald_text_hand_out(&run, &list, values);
    return ald_run_end(&run, status);
}
