/* Results beside the columns that are carried over from the rows they belong to. */
#include "printing/printing.h"

#include "printing/print_json.h"
#include "ranks/gather_rows.h"
#include "ranks/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { name_size = 8300 }; /* two paths */

/* The whole table: carried columns as numbers of their texts, then the results. */
typedef struct whole {
    int64_t rows, kept, columns;
    double *values;
    const char **header;
    const char *const **levels;
    char (*names)[24]; /* of carried columns without one */
} whole;

static int ends_with(const char *text, const char *ending)
{
    const size_t a = strlen(text), b = strlen(ending);
    return a >= b && strcmp(text + a - b, ending) == 0;
}

static int holds_numbers_only(const char *output)
{
    static const char *const endings[] = {".npy", ".svm", ".svmlight", ".libsvm", ".svm.gz"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(output, endings[i])) return 1;
    return 0;
}

/* The texts of a carried column as a list of levels: that of row i is number i. */
static const char **texts_of(const ald_dataset *dataset, int64_t kept, int64_t rows)
{
    const char **list = calloc((size_t)rows + 1, sizeof *list);
    for (int64_t i = 0; list && i < rows; i++) list[i] = ald_dataset_kept_text(dataset, kept, i);
    return list;
}

static int carry_columns(cli_session *session, const ald_dataset *dataset, whole *w)
{
    for (int64_t k = 0; k < w->kept; k++) {
        const char *name = ald_dataset_kept_name(dataset, k), **list = texts_of(dataset, k, w->rows);
        if (!list) return cli_out_of_memory(session);
        w->levels[k] = list;
        snprintf(w->names[k], sizeof w->names[k], "id%lld", (long long)k + 1);
        w->header[k] = name ? name : w->names[k];
        for (int64_t i = 0; i < w->rows; i++)
            w->values[i * w->columns + k] = *list[i] ? (double)i : (double)NAN;
    }
    return CLI_DONE;
}

static void put_results(const ald_dataset *dataset, const cli_results *results, whole *w)
{
    const int64_t rows = ald_dataset_x(dataset)->rows, q = results->columns;
    for (int64_t i = 0; i < w->rows; i++)
        for (int64_t j = 0; j < q; j++) w->values[i * w->columns + w->kept + j] = NAN;
    for (int64_t i = 0; i < rows; i++)
        memcpy(w->values + ald_dataset_file_row(dataset, i) * w->columns + w->kept, results->values + i * q,
               (size_t)q * sizeof *w->values);
    for (int64_t j = 0; j < q; j++) {
        w->header[w->kept + j] = results->header[j];
        if (results->levels) w->levels[w->kept + j] = results->levels[j];
    }
}

static int make_whole(cli_session *session, const ald_dataset *dataset, const cli_results *results, whole *w)
{
    w->columns = w->kept + results->columns;
    w->values = calloc((size_t)w->rows * (size_t)w->columns + 1, sizeof *w->values);
    w->header = calloc((size_t)w->columns + 1, sizeof *w->header);
    w->levels = calloc((size_t)w->columns + 1, sizeof *w->levels);
    w->names = calloc((size_t)w->kept + 1, sizeof *w->names);
    if (!w->values || !w->header || !w->levels || !w->names) return cli_out_of_memory(session);
    put_results(dataset, results, w);
    return carry_columns(session, dataset, w);
}

static void free_whole(whole *w)
{
    for (int64_t k = 0; w->levels && k < w->kept; k++) {
        void *list; /* ours, though the table only shows it */
        memcpy(&list, &w->levels[k], sizeof list);
        free(list);
    }
    free(w->names);
    free(w->levels);
    free(w->header);
    free(w->values);
}

/* One file of all ranks, or a part of each. `name` and `rows` are for the line that reports it. */
static int write_files(cli_session *session, const char *output, const whole *w, char name[name_size],
                       int64_t *rows)
{
    const char *const *const *levels =
        holds_numbers_only(output) ? NULL : (const char *const *const *)w->levels;
    *rows = w->rows;
    if (!cli_wants_parts(session)) {
        snprintf(name, name_size, "%s", output);
        return cli_check(session, ald_write_portions(session->context, output, w->values, w->rows, w->columns,
                                                     w->header, levels, rows, &session->error));
    }
    const cli_part part = {
        .values = w->values,
        .rows = w->rows,
        .columns = w->columns,
        .header = w->header,
        .levels = levels,
    };
    cli_parts_name(session, output, name, name_size);
    CLI_TRY(cli_part_write(session, output, &part));
    return cli_count_rows(session, rows);
}

static int write_whole(cli_session *session, const char *output, const ald_dataset *dataset,
                       const cli_results *results, whole *w)
{
    char name[name_size], carried[64] = "";
    int64_t rows;
    CLI_TRY(cli_ranks_settle(session, make_whole(session, dataset, results, w)));
    CLI_TRY(cli_stop(session));
    CLI_TRY(write_files(session, output, w, name, &rows));
    if (strcmp(output, "-") == 0) return CLI_DONE;
    if (w->kept) snprintf(carried, sizeof carried, " beside %lld of the data", (long long)w->kept);
    cli_wrote(session, "%s: %lld row%s, %lld %s%s%s", name, (long long)rows, cli_s(rows),
              (long long)results->columns, results->what, cli_s(results->columns), carried);
    return CLI_DONE;
}

int cli_carried_write(cli_session *session, const char *output, const ald_dataset *dataset,
                      const cli_results *results)
{
    const int numbers = holds_numbers_only(output);
    whole w = {.rows = ald_dataset_file_rows(dataset), .kept = numbers ? 0 : ald_dataset_kept_count(dataset)};
    if (numbers && cli_given_find(&session->args, "keep"))
        return cli_usage(session, "--keep carries texts, but %s holds only numbers: write to a .csv file",
                         output);
    const int code = write_whole(session, output, dataset, results, &w);
    free_whole(&w);
    return code;
}

json_t *cli_carried_json(const ald_dataset *dataset, int *bad)
{
    const int64_t rows = ald_dataset_file_rows(dataset), kept = ald_dataset_kept_count(dataset);
    json_t *root = kept ? json_object() : NULL;
    for (int64_t k = 0; k < kept; k++) {
        const char *name = ald_dataset_kept_name(dataset, k);
        char made[24];
        json_t *list = json_array();
        snprintf(made, sizeof made, "id%lld", (long long)k + 1);
        for (int64_t i = 0; i < rows; i++)
            *bad |= json_array_append_new(list, cli_json_text(ald_dataset_kept_text(dataset, k, i)));
        *bad |= json_object_set_new(root, name ? name : made, list);
    }
    return root;
}
