#include "grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ridge_rel is a part of the largest eigenvalue, so that its values suit any data. kspca has neighbours only with the
 * kernels of graphs. */
static const struct {
    const char *name, *values, *not_for;
} usual[] = {{"ridge_rel", "0,log:1e-4:1:5", ""}, {"n_neighbors", "5,10,20", "kspca"}};

const char *cli_grid_usual(int index, const char **values)
{
    const int known = index >= 0 && index < (int)(sizeof usual / sizeof *usual);
    *values = known ? usual[index].values : NULL;
    return known ? usual[index].name : NULL;
}

int cli_grid_suits(int index, const ald_settings *settings)
{
    const ald_method *method = ald_settings_method(settings);
    return cli_method_has(method, usual[index].name) && !ald_settings_given(settings, usual[index].name) &&
           strcmp(ald_method_name(method), usual[index].not_for) != 0;
}

/* log:LOW:HIGH:COUNT, lin:LOW:HIGH:COUNT; COUNT 0: not given. */
typedef struct range {
    int logarithmic;
    double low, high;
    int64_t count;
} range;

enum { most_values = 1000 };

/* 1: a range, 0: none, -1: a wrong one. */
static int read_range(const char *text, size_t length, range *r)
{
    char copy[100], *words[4] = {NULL}, *save = NULL;
    int n = 0;
    if (length < 4 || (strncmp(text, "log:", 4) != 0 && strncmp(text, "lin:", 4) != 0)) return 0;
    if (length >= sizeof copy) return -1;
    memcpy(copy, text, length);
    copy[length] = '\0';
    for (char *word = strtok_r(copy, ":", &save); word; word = strtok_r(NULL, ":", &save)) {
        if (n == 4) return -1;
        words[n++] = word;
    }
    *r = (range){.logarithmic = text[1] == 'o'};
    if (n < 3 || !cli_read_real(words[1], &r->low) || !cli_read_real(words[2], &r->high)) return -1;
    if (n == 4 && (!cli_read_int(words[3], &r->count) || r->count < 2 || r->count > most_values)) return -1;
    return r->low < r->high && (!r->logarithmic || r->low > 0.0) ? 1 : -1;
}

/* The value at part u of the range. The ends are met exactly. */
static double value_at(const range *r, double u)
{
    if (u <= 0.0) return r->low;
    if (u >= 1.0) return r->high;
    return r->logarithmic ? exp(log(r->low) + u * log(r->high / r->low)) : r->low + u * (r->high - r->low);
}

static int wrong_range(cli_session *session, const char *name, const char *text, size_t length)
{
    return cli_usage(
        session,
        "--grid %s=%.*s: a range is log:LOW:HIGH:COUNT or lin:LOW:HIGH:COUNT, LOW below HIGH and, for log, "
        "above 0; --random needs no COUNT",
        name, (int)length, text);
}

static void print_real(FILE *out, double value)
{
    fprintf(out, "%.6g", value);
}

static int write_part(cli_session *session, FILE *out, const char *name, const char *text, size_t length)
{
    range r;
    const int kind = read_range(text, length, &r);
    if (kind == 0) fwrite(text, 1, length, out);
    if (kind == 0) return CLI_DONE;
    if (kind < 0 || r.count == 0) return wrong_range(session, name, text, length);
    for (int64_t i = 0; i < r.count; i++) {
        if (i) putc(',', out);
        print_real(out, value_at(&r, (double)i / (double)(r.count - 1)));
    }
    return CLI_DONE;
}

int cli_grid_list(cli_session *session, const char *name, const char *values, char **list)
{
    size_t size = 0;
    int code = CLI_DONE;
    FILE *out = open_memstream(list, &size);
    if (!out) return cli_out_of_memory(session);
    for (const char *at = values; code == CLI_DONE && *at;) {
        const size_t length = strcspn(at, ",");
        code = write_part(session, out, name, at, length);
        at += length;
        if (*at) putc(*at++, out);
    }
    return fclose(out) == 0 ? code : cli_out_of_memory(session);
}

/* Word number `index` of a list with commas, or how many there are. */
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

int cli_grid_draw(cli_session *session, const char *name, const char *values, int whole, double u, char *value,
                  size_t size)
{
    const char *word = NULL;
    size_t length = 0;
    range r;
    const int64_t count = word_at(values, -1, &word, &length);
    if (count == 0) return cli_usage(session, "--grid %s= has no values; write --grid %s=0,1,10", name, name);
    const int64_t index = (int64_t)(u * (double)count);
    word_at(values, index, &word, &length);
    const int kind = read_range(word, length, &r);
    if (kind < 0) return wrong_range(session, name, word, length);
    if (kind == 0)
        snprintf(value, size, "%.*s", (int)length, word);
    else
        snprintf(value, size, whole ? "%.0f" : "%.6g", value_at(&r, u * (double)count - (double)index));
    return CLI_DONE;
}

int cli_grid_is_whole(const ald_method *method, const char *name)
{
    const ald_param *param;
    for (int i = 0; (param = ald_method_param(method, i)) != NULL; i++)
        if (strcmp(param->name, name) == 0) return param->type == ALD_PARAM_INT;
    return 0;
}
