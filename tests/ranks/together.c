#include "together.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void grid_begin(grid *g, const char *folder, grid_compare compare)
{
    *g = (grid){.folder = folder, .compare = compare};
    if (ald_ranks_join(&g->ranks, &g->error) < 0) {
        printf("%s\n", g->error.message);
        exit(1);
    }
    g->rank = ald_ranks_rank(g->ranks);
    g->together = support_context(1 + g->rank % 2, NULL);
    g->alone = support_context(1, NULL);
    ald_context_set_ranks(g->together, g->ranks, &g->error);
    ald_run_begin(&g->run, g->together, &g->error);
}

void grid_meet(const grid *g)
{
    int speaker;
    ald_ranks_settle(g->ranks, 0, &speaker);
}

int grid_end(grid *g, int least)
{
    int speaker;
    ald_run_end(&g->run, ALD_OK);
    ald_context_free(g->together);
    ald_context_free(g->alone);
    if (g->rank == 0)
        printf("%d ranks: %d cases, %d failures\n", ald_ranks_size(g->ranks), g->cases, g->failures);
    const int failed = ald_ranks_settle(g->ranks, g->failures > 0 || g->asked < least, &speaker);
    ald_ranks_leave(g->ranks);
    return failed;
}

void grid_complain(grid *g, const char *what, const char *name, double number)
{
    g->failures++;
    printf("rank %d: %s: %s (%.3g): %s\n", g->rank, name, what, number, g->error.message);
    fflush(stdout);
}

const char *grid_path(const grid *g, const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", g->folder, name);
    return path;
}

void grid_write(const grid *g, const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(grid_path(g, name), "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
}

ald_status grid_fit(grid *g, ald_context *context, const char *method, const char *set, const char *name,
                    const ald_load_options *load, ald_model **model)
{
    ald_dataset *survey = NULL;
    int64_t rows;
    *model = NULL;
    ald_status status = ald_dataset_survey(context, grid_path(g, name), load, &survey, &rows, &g->error);
    if (status >= 0) {
        ald_settings *settings = support_settings(context, method, set);
        status = ald_fit_stream(context, settings, grid_path(g, name), load, survey, model, &g->error);
        ald_settings_free(settings);
    }
    ald_dataset_free(survey);
    return status;
}

/* By one process, of a method that is not streamed: of all rows in memory. */
static ald_status fit_in_memory(grid *g, const char *method, const char *set, const char *name,
                                const ald_load_options *load, ald_model **model)
{
    ald_load_options whole = *load;
    ald_dataset *rows = NULL;
    whole.block_bytes = 0;
    whole.keep_rows = NULL;
    ald_status status = ald_dataset_load(g->alone, grid_path(g, name), &whole, &rows, &g->error);
    if (status >= 0) {
        ald_settings *settings = support_settings(g->alone, method, set);
        status = ald_fit_dataset(g->alone, settings, rows, model, &g->error);
        ald_settings_free(settings);
    }
    ald_dataset_free(rows);
    return status;
}

static ald_status fit_alone(grid *g, const char *method, const char *set, const char *name,
                            const ald_load_options *load, ald_model **model)
{
    if (ald_method_capabilities(ald_method_find(method)) & ALD_CAN_STREAM)
        return grid_fit(g, g->alone, method, set, name, load, model);
    return fit_in_memory(g, method, set, name, load, model);
}

/* The bytes of this rank's model against those of rank 0. */
static void compare_ranks(grid *g, const char *title, const unsigned char *bytes, size_t size)
{
    int64_t length = (int64_t)size;
    ald_all_hear(&g->run, 0, &length, (int64_t)sizeof length);
    unsigned char *theirs = calloc((size_t)length + 1, 1);
    if (!theirs) abort();
    if (g->rank == 0 && size) memcpy(theirs, bytes, size);
    ald_all_hear(&g->run, 0, theirs, length);
    if (length != (int64_t)size || (size && memcmp(theirs, bytes, size) != 0))
        grid_complain(g, "another model than rank 0", title, 0.0);
    free(theirs);
}

static void compare_arrays(grid *g, const char *title, const ald_model *ours, const ald_model *single)
{
    ald_array one, two;
    for (int i = 0; ald_model_array_at(single, i, &one); i++) {
        int64_t count = 1;
        if (strcmp(one.name, "statistics/lost") == 0) continue; /* a bound, which depends on the blocks */
        if (strcmp(one.name, "objective_history") == 0 && strstr(title, " ksdpp ")) continue; /* the way */
        for (int k = 0; k < one.dims; k++) count *= one.shape[k];
        if (!ald_model_array(ours, one.name, &two) || one.dims != two.dims ||
            memcmp(one.shape, two.shape, (size_t)one.dims * sizeof *one.shape) != 0)
            grid_complain(g, one.name, title, NAN);
        else
            g->compare(g, title, &two, &one, count);
    }
}

static void compare_texts(grid *g, const char *title, const ald_model *ours, const ald_model *single)
{
    static const char *const texts[] = {
        "alidade.n_samples",      "alidade.n_features",    "alidade.class_names",
        "alidade.response_names", "alidade.feature_names", "alidade.target",
    };
    for (int i = 0; i < 6; i++) {
        const char *a = ald_model_text(ours, texts[i]), *b = ald_model_text(single, texts[i]);
        if ((a == NULL) != (b == NULL) || (a && strcmp(a, b) != 0)) grid_complain(g, texts[i], title, 0.0);
    }
}

void grid_check(grid *g, const char *method, const char *set, const char *name, const ald_load_options *load)
{
    ald_model *single = NULL, *models[2] = {NULL, NULL};
    unsigned char *bytes[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    char title[300];
    snprintf(title, sizeof title, "%s %s %s %s", name, method, set, load->target ? load->target : "");
    if (g->asked++ % support_stride()) return;
    g->cases++;
    const int times = g->cases % 3 ? 1 : 2;
    for (int i = 0; i < times; i++) {
        if (grid_fit(g, g->together, method, set, name, load, &models[i]) < 0)
            grid_complain(g, "failed", title, 0.0);
        if (models[i]) ald_model_to_bytes(g->alone, models[i], &bytes[i], &sizes[i], &g->error);
        compare_ranks(g, title, bytes[i], sizes[i]);
    }
    if (times == 2 && (sizes[0] != sizes[1] || (sizes[0] && memcmp(bytes[0], bytes[1], sizes[0]) != 0)))
        grid_complain(g, "twice is not the same", title, 0.0);
    if (g->rank == 0) {
        if (fit_alone(g, method, set, name, load, &single) < 0) grid_complain(g, "failed alone", title, 0.0);
        if (single && models[0]) compare_arrays(g, title, models[0], single);
        if (single && models[0]) compare_texts(g, title, models[0], single);
    }
    for (int i = 0; i < 2; i++) {
        ald_bytes_free(g->alone, bytes[i]);
        ald_model_free(models[i]);
    }
    ald_model_free(single);
}
