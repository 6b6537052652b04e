/* The table of synthetic sets, their options, and the dense ones row by row. */
#include "io/generating/generate.h"

#include "base/core/text.h"
#include "base/numbers/near_names.h"
#include "base/numbers/ordering.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rows like those of a text collection: which words occur, few of very many, and topics as labels.
 *
 * Word w = 1 .. d has the weight 1/w (Zipf) and belongs to group 1 + (w - 1) mod 101. A row has one, two or
 * three labels, each count as likely, drawn among the 101 without repetition. Words are drawn until 60 are
 * different: with probability 1/2 from all words, else from the group of one of the row's labels, always by
 * weight. A row says which words it has, not how often they were drawn, and has length 1: its 60 entries are
 * 1/sqrt(60). */

enum { groups = 101, most_labels = 3, words_a_row = 60 };

typedef struct vocabulary {
    int64_t d;
    double *all;               /* sums of the weights of words 1 .. w */
    double *grouped;           /* the same within each group, group by group */
    int64_t start[groups + 1]; /* where each group begins in `grouped` */
} vocabulary;

static ald_status make_vocabulary(ald_run *run, int64_t d, vocabulary *v)
{
    v->d = d;
    ALD_TRY(ALD_SCRATCH(run, {&v->all, d, 1}, {&v->grouped, d, 1}));
    double sum = 0.0;
    for (int64_t w = 0; w < d; w++) v->all[w] = sum += 1.0 / (double)(w + 1);
    int64_t at = 0;
    for (int64_t g = 0; g < groups; g++) {
        v->start[g] = at;
        sum = 0.0;
        for (int64_t w = g; w < d; w += groups) v->grouped[at++] = sum += 1.0 / (double)(w + 1);
    }
    v->start[groups] = at;
    return ALD_OK;
}

/* The first place whose running sum exceeds a uniform part of the total. */
static int64_t draw(ald_random *random, const double *sums, int64_t count)
{
    const double wanted = ald_random_uniform(random) * sums[count - 1];
    int64_t low = 0, high = count - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sums[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int64_t draw_word(ald_random *random, const vocabulary *v, const int64_t *labels, int64_t n_labels)
{
    if (ald_random_below(random, 2) == 0) return draw(random, v->all, v->d);
    const int64_t g = labels[ald_random_below(random, n_labels)];
    return g + groups * draw(random, v->grouped + v->start[g], v->start[g + 1] - v->start[g]);
}

static int64_t draw_labels(ald_random *random, int64_t labels[most_labels])
{
    const int64_t count = 1 + ald_random_below(random, most_labels);
    for (int64_t k = 0; k < count;) {
        labels[k] = ald_random_below(random, groups);
        int64_t same = 0;
        for (int64_t i = 0; i < k; i++) same += labels[i] == labels[k];
        k += same == 0;
    }
    ald_sort_whole(count, labels);
    return count;
}

/* Puts a word among n rising ones unless it is there; gives how many there are. */
static int64_t add_word(int64_t word, int64_t *words, int64_t n)
{
    int64_t at = n;
    while (at > 0 && words[at - 1] > word) at--;
    if (at > 0 && words[at - 1] == word) return n;
    for (int64_t k = n; k > at; k--) words[k] = words[k - 1];
    words[at] = word;
    return n + 1;
}

static void draw_row(ald_random *random, const vocabulary *v, ald_table *table, int64_t row)
{
    int64_t labels[most_labels];
    int64_t *words = table->indices + row * words_a_row;
    double *values = table->values + row * words_a_row;
    const int64_t n_labels = draw_labels(random, labels);
    for (int64_t n = 0; n < words_a_row;) n = add_word(draw_word(random, v, labels, n_labels), words, n);
    for (int64_t k = 0; k < words_a_row; k++) values[k] = 1.0 / sqrt((double)words_a_row);
    table->pointers[row + 1] = (row + 1) * words_a_row;
    table->label_pointers[row + 1] = table->label_pointers[row] + n_labels;
    for (int64_t k = 0; k < n_labels; k++)
        table->label_values[table->label_pointers[row] + k] = (double)(labels[k] + 1);
}

static ald_status allocate(ald_run *run, int64_t n, ald_table *table)
{
    ald_arena *arena = table->arena;
    ALD_TRY(ald_get(run, arena, n + 1, 1, sizeof *table->pointers, &table->pointers));
    ALD_TRY(ald_get(run, arena, n, words_a_row, sizeof *table->indices, &table->indices));
    ALD_TRY(ald_get(run, arena, n, words_a_row, sizeof *table->values, &table->values));
    ALD_TRY(ald_get(run, arena, n + 1, 1, sizeof *table->label_pointers, &table->label_pointers));
    ALD_TRY(ald_get(run, arena, n, most_labels, sizeof *table->label_values, &table->label_values));
    table->pointers[0] = table->label_pointers[0] = 0;
    return ALD_OK;
}

/* Text-like rows, at the top of this file. */
static ald_status finish_words(ald_run *run, const ald_recipe *recipe, ald_table *table)
{
    vocabulary v;
    ald_random random;
    table->rows = recipe->n;
    table->cols = recipe->d;
    table->sparse = 1;
    table->many_labels = 1;
    ALD_TRY(make_vocabulary(run, recipe->d, &v));
    ALD_TRY(allocate(run, recipe->n, table));
    for (int64_t i = 0; i < recipe->n; i++) {
        if (i % 1024 == 0) ALD_TRY(ald_progress(run, "generating", (double)i / (double)recipe->n));
        ald_random_seed(&random, recipe->seed, (uint64_t)i + 1);
        draw_row(&random, &v, table, i);
    }
    return ALD_OK;
}

/* name, summary, task, target, n, d, least d, target columns, noise, radius, eyes, row, share, finish */
static const ald_generator generators[] = {
    {"plane", "y = 2 x1 + 3 x2 + noise, x normal in 5 dimensions", "regression", "y", 1000, 5, 2, 1, 0.5, 0,
     0, ald_row_plane, NULL, NULL},
    {"linear", "y = 2 x1 + 3 x2 + noise, x uniform in the unit cube of 5 dimensions", "regression", "y", 1000,
     5, 2, 1, 0.5, 0, 0, ald_row_linear, NULL, NULL},
    {"parity", "y = sin(2 pi x1) sin(2 pi x2) + noise, x uniform in the unit cube of 5 dimensions",
     "regression", "y", 1000, 5, 2, 1, 0.1, 0, 0, ald_row_parity, NULL, NULL},
    {"curve", "a helix along x1, x2, x3 and seven normal noise columns, y the way along it", "regression",
     "y", 2000, 10, 3, 1, 1.0, 0, 0, ald_row_curve, NULL, NULL},
    {"curve-paper", "the same helix with two uniform noise columns", "regression", "y", 1000, 5, 3, 1, 1.0, 0,
     0, ald_row_curve_paper, NULL, NULL},
    {"taichi", "two classes, the halves of the Tai Chi disc in x1 and x2, and three noise columns",
     "classification", "y", 2000, 5, 2, 1, -1.0, 1.0, 1.0 / 6.0, ald_row_taichi, NULL, NULL},
    {"xor", "two classes at opposite corners of a square", "classification", "y", 400, 2, 2, 1, 0.25, 0, 0,
     ald_row_xor, NULL, NULL},
    {"rings", "two classes on concentric circles", "classification", "y", 313, 2, 2, 1, 0.08, 0, 0,
     ald_row_rings, NULL, NULL},
    {"rectangles", "two classes on concentric rectangles", "classification", "y", 300, 2, 2, 1, 0.05, 0, 0,
     ald_row_rectangles, NULL, NULL},
    {"regression-a", "y = x1 / (0.5 + (x2 + 1.5)^2) + (1 + x2)^2 + noise, x normal in 4 dimensions",
     "regression", "y", 100, 4, 2, 1, 0.5, 0, 0, ald_row_regression_a, NULL, NULL},
    {"regression-b",
     "y = sin^2(pi x2 + 1) + noise, x uniform in a cube of 4 dimensions without its lower corner",
     "regression", "y", 100, 4, 2, 1, 0.5, 0, 0, ald_row_regression_b, NULL, NULL},
    {"regression-c", "y = x1^2 / 2 times noise, x normal in 10 dimensions", "regression", "y", 100, 10, 1, 1,
     1.0, 0, 0, ald_row_regression_c, NULL, NULL},
    {"rational", "y = x1 / (0.5 + (x2 + 1.5)^2) + noise, x normal in 10 dimensions", "regression", "y", 400,
     10, 2, 1, 0.2, 0, 0, ald_row_rational, NULL, NULL},
    {"quadratic", "y = x1^2 + noise, x normal in 10 dimensions", "regression", "y", 400, 10, 1, 1, 0.2, 0, 0,
     ald_row_quadratic, NULL, NULL},
    {"syn1", "five normal classes in 100 dimensions", "classification", "y", 1000, 100, 1, 1, -1.0, 0, 0,
     ald_row_classes, ald_share_means, NULL},
    {"syn2", "five normal classes in 5000 dimensions", "classification", "y", 1000, 5000, 1, 1, -1.0, 0, 0,
     ald_row_classes, ald_share_means, NULL},
    {"syn3", "five labels by noisy linear scores in 100 dimensions", "multilabel", "y1..y5", 1000, 100, 1,
     ALD_SYN_CLASSES, 0.5, 0, 0, ald_row_scores, ald_share_means, ald_finish_labels},
    {"syn4", "five labels by noisy linear scores in 5000 dimensions", "multilabel", "y1..y5", 1000, 5000, 1,
     ALD_SYN_CLASSES, 0.5, 0, 0, ald_row_scores, ald_share_means, ald_finish_labels},
    {"rcv1", "sparse word counts with 101 labels, like a text collection; write it as .svm", "multilabel",
     NULL, 3000, 47236, 1010, 0, -1.0, 0, 0, NULL, NULL, finish_words},
};

enum { generator_count = sizeof generators / sizeof *generators };

const ald_generator *ald_generator_by_index(int index)
{
    return index >= 0 && index < generator_count ? &generators[index] : NULL;
}

ald_status ald_generator_find(ald_run *run, const char *name, const ald_generator **generator)
{
    ald_near_name nearest = {0};
    ald_text list;
    ald_text_init(&list, &run->scratch);
    for (int i = 0; i < generator_count; i++) {
        *generator = &generators[i];
        if (strcmp(generators[i].name, name) == 0) return ALD_OK;
        ALD_TRY(ald_text_print(run, &list, "%s%s", i ? ", " : "", generators[i].name));
        ald_near_name_try(&nearest, name, generators[i].name);
    }
    *generator = NULL;
    if (nearest.name)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "there is no synthetic set '%.60s'; did you mean '%s'?", name, nearest.name);
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "there is no synthetic set '%.60s'; the sets are %s",
                    name, list.data);
}

static ald_status resolve_size(ald_run *run, const ald_generate_options *options, ald_recipe *recipe)
{
    const ald_generator *generator = recipe->generator;
    recipe->n = options->n ? options->n : generator->n;
    recipe->d = options->d ? options->d : generator->d;
    if (recipe->n < 1)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`n`: %lld rows were requested; at least 1 is required", (long long)recipe->n);
    if (recipe->d < generator->least_d)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "`d`: the set '%s' has at least %lld columns, but %lld were requested",
                        generator->name, (long long)generator->least_d, (long long)recipe->d);
    return ALD_OK;
}

static ald_status refuse(ald_run *run, const ald_recipe *recipe, const char *option)
{
    return ald_fail(run->error, ALD_ERROR_ARGUMENT, "the set '%s' has no option %s", recipe->generator->name,
                    option);
}

static ald_status resolve_shape(ald_run *run, const ald_generate_options *options, ald_recipe *recipe)
{
    const ald_generator *generator = recipe->generator;
    if (options->radius != 0.0 && generator->radius == 0.0) return refuse(run, recipe, "`radius`");
    if (options->eyes != 0.0 && generator->eyes == 0.0) return refuse(run, recipe, "`eyes`");
    recipe->radius = options->radius != 0.0 ? options->radius : generator->radius;
    recipe->eyes = options->eyes != 0.0 ? options->eyes : generator->eyes;
    if (!(recipe->radius >= 0.0 && isfinite(recipe->radius)))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "`radius` must be a positive number, not %g",
                        options->radius);
    if (!(recipe->eyes >= 0.0 && recipe->eyes < 0.5))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "`eyes` must be a number between 0 and 0.5, not %g",
                        options->eyes);
    return ALD_OK;
}

static ald_status resolve(ald_run *run, const ald_generate_options *options, ald_recipe *recipe)
{
    const ald_generator *generator = recipe->generator;
    recipe->seed = options->seed;
    ALD_TRY(resolve_size(run, options, recipe));
    if (!isfinite(options->noise))
        return ald_fail(run->error, ALD_ERROR_ARGUMENT, "`noise` must be a number, not %g", options->noise);
    if (options->noise > 0.0 && generator->noise < 0.0) return refuse(run, recipe, "`noise`");
    recipe->noise = generator->noise;
    if (options->noise > 0.0) recipe->noise = options->noise;
    if (options->noise < 0.0 && generator->noise >= 0.0) recipe->noise = 0.0;
    return resolve_shape(run, options, recipe);
}

/* Columns x1 .. xd, then y, or y1 .. yk. */
static ald_status name_columns(ald_run *run, const ald_recipe *recipe, ald_table *table)
{
    ALD_TRY(ald_get(run, table->arena, table->cols, 1, sizeof *table->columns, &table->columns));
    const int64_t several = recipe->generator->n_targets > 1;
    for (int64_t j = 0; j < table->cols; j++) {
        char name[24];
        const int feature = j < recipe->d;
        const int64_t number = feature ? j + 1 : several * (j - recipe->d + 1);
        int length = snprintf(name, sizeof name, "y");
        if (number) length = snprintf(name, sizeof name, "%c%lld", feature ? 'x' : 'y', (long long)number);
        table->columns[j] = (ald_column){.n_numbers = table->rows, .position = j + 1};
        ALD_TRY(ald_keep_text(run, table->arena, name, (size_t)length, &table->columns[j].name));
    }
    return ALD_OK;
}

static ald_status draw_rows(ald_run *run, const ald_recipe *recipe, ald_table *table)
{
    table->rows = recipe->n;
    table->cols = recipe->d + recipe->generator->n_targets;
    ALD_TRY(ald_get(run, table->arena, table->rows, table->cols, sizeof *table->cells, &table->cells));
    ALD_TRY(name_columns(run, recipe, table));
    for (int64_t i = 0; i < recipe->n; i++) {
        ald_random random;
        double *row = table->cells + i * table->cols;
        if (i % 1024 == 0) ALD_TRY(ald_progress(run, "generating", (double)i / (double)recipe->n));
        ald_random_seed(&random, recipe->seed, (uint64_t)i + 1);
        recipe->generator->row(recipe, &random, row, row + recipe->d);
    }
    return ALD_OK;
}

ald_status ald_generate_table(ald_run *run, const ald_generator *generator,
                              const ald_generate_options *options, ald_arena *arena, ald_table *table)
{
    ald_recipe recipe = {.generator = generator};
    *table = (ald_table){.arena = arena, .source = generator->name};
    ALD_TRY(resolve(run, options, &recipe));
    if (generator->share) ALD_TRY(generator->share(run, &recipe));
    if (generator->row) ALD_TRY(draw_rows(run, &recipe, table));
    return generator->finish ? generator->finish(run, &recipe, table) : ALD_OK;
}
