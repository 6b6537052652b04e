/* Where the model comes from: settings, preparation, files, commands and warnings. */
#include "base/numbers/number.h"
#include "base/numbers/sha256.h"
#include "show/report/sections.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char param_key[] = "alidade.param.", resolved_key[] = "alidade.resolved.";

/* Numbers may be written in several ways. */
static int is_same(const char *a, const char *b)
{
    double one, two;
    if (strcmp(a, b) == 0) return 1;
    return ald_parse_real(a, strlen(a), &one) && ald_parse_real(b, strlen(b), &two) && one == two;
}

/* Whether the value is that of the parameter's default. */
static int is_default(const ald_method *method, const char *name, const char *value)
{
    const ald_param *param;
    for (int i = 0; method && (param = ald_method_param(method, i)) != NULL; i++)
        if (strcmp(param->name, name) == 0) return is_same(param->initial, value);
    return 0;
}

static void write_settings(ald_page *page, const ald_model *model)
{
    const ald_method *method = ald_method_find(ald_model_method(model));
    const char *key, *value;
    ald_page_open_of(page, "settings", '[');
    for (int i = 0; ald_model_text_at(model, i, &key, &value); i++) {
        if (strncmp(key, param_key, strlen(param_key)) != 0) continue;
        const char *name = key + strlen(param_key);
        ald_page_open(page, '[');
        ald_page_string(page, name);
        ald_page_string(page, value);
        ald_page_bool(page, is_default(method, name, value));
        ald_page_close(page, ']');
    }
    ald_page_close(page, ']');
}

static void write_resolved(ald_page *page, const ald_model *model)
{
    const char *key, *value;
    ald_page_open_of(page, "resolved", '[');
    for (int i = 0; ald_model_text_at(model, i, &key, &value); i++) {
        if (strncmp(key, resolved_key, strlen(resolved_key)) != 0) continue;
        ald_page_open(page, '[');
        ald_page_string(page, key + strlen(resolved_key));
        ald_page_string(page, value);
        ald_page_close(page, ']');
    }
    ald_page_close(page, ']');
}

static ald_status write_rows_read(ald_run *run, const ald_dataset *rows, const char *what, ald_page *page)
{
    const int64_t all = ald_dataset_file_rows(rows);
    ald_text text;
    if (!rows) return ALD_OK;
    ald_text_init(&text, &run->scratch);
    ALD_TRY(ald_text_print(run, &text, "%s: %lld rows and %lld columns%s.", what, (long long)rows->x.rows,
                           (long long)rows->x.cols, rows->x.storage == ALD_DENSE ? "" : ", sparse"));
    if (all > rows->x.rows)
        ALD_TRY(ald_text_print(run, &text, " %lld rows of the file were left out.",
                               (long long)(all - rows->x.rows)));
    ald_page_string(page, text.data);
    return ALD_OK;
}

static ald_status write_preparation(ald_run *run, const ald_report_job *job, ald_page *page)
{
    const char *note = job->data->task_note, *fitted = ald_model_text(job->model, "alidade.n_samples");
    ald_text text;
    ald_page_open_of(page, "preparation", '[');
    ALD_TRY(write_rows_read(run, job->data, "Data", page));
    ALD_TRY(write_rows_read(run, job->test, "Test", page));
    if (note && *note) ald_page_string(page, note);
    if (fitted) {
        ald_text_init(&text, &run->scratch);
        ALD_TRY(ald_text_print(run, &text, "The model was fitted on %s rows.", fitted));
        ald_page_string(page, text.data);
    }
    if (ald_model_text(job->model, "alidade.streamed"))
        ald_page_string(page,
                        "The model was streamed: its rows were read in blocks and never all in memory.");
    ald_page_close(page, ']');
    return ald_page_status(page);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* As sha256sum prints it; 0 where it is no regular file or cannot be read. */
static int digest_of(const char *path, char hex[2 * ALD_SHA256_SIZE + 1])
{
    unsigned char buffer[1 << 14], digest[ALD_SHA256_SIZE];
    struct stat info;
    ald_sha256 hash;
    size_t got;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    if (!file) return 0;
    ald_sha256_begin(&hash);
    while ((got = fread(buffer, 1, sizeof buffer, file)) > 0) ald_sha256_add(&hash, buffer, got);
    const int whole = !ferror(file);
    fclose(file);
    ald_sha256_end(&hash, digest);
    for (int i = 0; i < ALD_SHA256_SIZE; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    return whole;
}

static void write_file(ald_page *page, const char *role, const char *path, const ald_dataset *rows)
{
    char hex[2 * ALD_SHA256_SIZE + 1];
    if (!path) return;
    const int digest = digest_of(path, hex);
    ald_page_open(page, '{');
    ald_page_text_of(page, "role", role);
    ald_page_text_of(page, "name", base_name(path));
    ald_page_text_of(page, "sha256", digest ? hex : NULL);
    ald_page_real_of(page, "rows", rows ? (double)rows->x.rows : (double)NAN);
    ald_page_real_of(page, "columns", rows ? (double)rows->x.cols : (double)NAN);
    ald_page_close(page, '}');
}

void ald_page_files(ald_page *page, const ald_report_options *options, const ald_dataset *data,
                    const ald_dataset *test)
{
    ald_page_open_of(page, "files", '[');
    write_file(page, "model", options->model_path, NULL);
    write_file(page, "data", options->data_path, data);
    write_file(page, "test", options->test_path, test);
    ald_page_close(page, ']');
    ald_page_open_of(page, "commands", '[');
    for (int i = 0; options->commands && options->commands[i]; i++)
        ald_page_string(page, options->commands[i]);
    ald_page_close(page, ']');
}

/* What the page is to say of its own sample and of the fit. */
static ald_status tell_all(ald_run *run, ald_report_job *job)
{
    const char *warning = ald_model_text(job->model, "alidade.warning"),
               *fitted = ald_model_text(job->model, "alidade.n_samples");
    char rows[32];
    snprintf(rows, sizeof rows, "%lld", (long long)job->n_data);
    if (job->shown < job->total)
        ALD_TRY(ald_report_warn(
            run, job, "The pictures show %lld of %lld rows, drawn at random; figures and shades cover all.",
            (long long)job->shown, (long long)job->total));
    const char *cut = job->options.tuning ? ald_comparison_cut(ald_tuning_curve(job->options.tuning)) : NULL;
    if (cut) ALD_TRY(ald_report_warn(run, job, "%s", cut));
    if (warning) ALD_TRY(ald_report_warn(run, job, "The fit ended with a warning: %s", warning));
    if (fitted && strcmp(fitted, rows) != 0)
        ALD_TRY(ald_report_warn(run, job,
                                "The model was fitted on %s rows, and these are %s: the rows called training "
                                "here may be other rows.",
                                fitted, rows));
    return ALD_OK;
}

ald_status ald_section_origin(ald_run *run, ald_report_job *job, ald_page *page)
{
    write_settings(page, job->model);
    write_resolved(page, job->model);
    ALD_TRY(write_preparation(run, job, page));
    ald_page_files(page, &job->options, job->data, job->test);
    ALD_TRY(tell_all(run, job));
    ald_page_open_of(page, "warnings", '[');
    for (int i = 0; i < job->n_warnings; i++) ald_page_string(page, job->warnings[i]);
    ald_page_close(page, ']');
    return ald_page_status(page);
}
