/* The gene expression sets of the supervised PCA paper, against PCA. */
#include "support/fitting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct genes {
    ald_dataset *data;
    int64_t n, d, train;
    int64_t *order;
    double *x; /* n x d in that order */
    int32_t *classes;
} genes;

static void shuffle(genes *g, uint64_t split)
{
    const ald_matrix *x = ald_dataset_x(g->data);
    ald_random random;
    ald_random_seed(&random, 2011, split);
    ald_random_permutation(&random, g->n, g->order);
    for (int64_t i = 0; i < g->n; i++) {
        const double *from = (const double *)x->values + g->order[i] * x->row_stride;
        for (int64_t j = 0; j < g->d; j++) g->x[i * g->d + j] = from[j * x->col_stride];
        g->classes[i] = ald_dataset_target(g->data)->classes[g->order[i]];
    }
}

/* errors[k] += test rows that 1-NN in the first k + 1 directions gets wrong. */
static void add_errors(const genes *g, const char *method, double errors[10])
{
    const ald_matrix train = ald_matrix_row_major(g->x, g->train, g->d, g->d),
                     all = ald_matrix_row_major(g->x, g->n, g->d, g->d);
    const ald_target y = ald_target_classes(g->classes, g->train, ald_dataset_target(g->data)->n_classes);
    ald_model *model = support_fit(method, "n_components=10 scale=minmax", &train, &y);
    ald_context *context = support_context(1, NULL);
    ald_error error;
    static double z[100 * 10];
    assert_done(ald_transform(context, model, &all, z, &error), error);
    for (int64_t i = g->train; i < g->n; i++) {
        double distance[100] = {0.0};
        for (int k = 0; k < 10; k++) {
            int64_t nearest = 0;
            for (int64_t j = 0; j < g->train; j++) {
                distance[j] += pow(z[i * 10 + k] - z[j * 10 + k], 2.0);
                if (distance[j] < distance[nearest]) nearest = j;
            }
            errors[k] += g->classes[nearest] != g->classes[i];
        }
    }
    ald_context_free(context);
    ald_model_free(model);
}

static double best_error(const genes *g, const double errors[10])
{
    double least = errors[0];
    for (int k = 1; k < 10; k++) least = fmin(least, errors[k]);
    return least / (40.0 * (double)(g->n - g->train));
}

static void check_genes(const char *file, double bound)
{
    char path[512];
    genes g = {0};
    ald_context *context = support_context(1, NULL);
    ald_error error;
    double spca[10] = {0}, pca[10] = {0};
    const ald_load_options options = {.size = sizeof options, .target = "y"};
    snprintf(path, sizeof path, "%s/%s", support_shared_data(), file);
    assert_done(ald_dataset_load(context, path, &options, &g.data, &error), error);
    g.n = ald_dataset_x(g.data)->rows;
    g.d = ald_dataset_x(g.data)->cols;
    g.train = (7 * g.n + 5) / 10;
    assert_in_range(g.n, 20, 100);
    g.order = malloc((size_t)g.n * sizeof *g.order);
    g.classes = malloc((size_t)g.n * sizeof *g.classes);
    g.x = malloc((size_t)(g.n * g.d) * sizeof *g.x);
    for (uint64_t split = 0; split < 40; split++) {
        shuffle(&g, split);
        add_errors(&g, "spca", spca);
        add_errors(&g, "pca", pca);
    }
    const double with = best_error(&g, spca), without = best_error(&g, pca);
    print_message("%s: 1-NN error of spca %.3f, of pca %.3f\n", file, with, without);
    assert_below(with, bound);
    assert_true(with < without);
    free(g.order);
    free(g.classes);
    free(g.x);
    ald_dataset_free(g.data);
    ald_context_free(context);
}

/* The paper's Table 3: 40 random splits, 70 % for training, the best of up to ten dimensions. */
static void gene_expression(void **state)
{
    (void)state;
    if (!support_shared_data()) {
        print_message("skipped: ALD_SHARED_DATA does not name the folder of colon.csv and srbct.csv\n");
        skip();
    }
    check_genes("colon.csv", 0.28);
    check_genes("srbct.csv", 0.13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gene_expression)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
