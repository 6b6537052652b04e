/* Every allocation of the graphs is made to fail once: each time the call says "out of memory" and no block
 * is left. */
#include "support/ledger.h"
#include "support/storages.h"
#include "support/support.h"

#include "math/graph/components.h"
#include "math/graph/laplacian.h"

#include <stdlib.h>
#include <string.h>

enum { n = 24, d = 3 };

typedef struct plan {
    const char *name;
    ald_graph_options options;
    int storage;
    const char *feature; /* NULL: any build */
} plan;

/* A graph, its Laplacian, that of all pairs, and its parts connected. */
static ald_status use(ald_run *run, const plan *p, const ald_operator *z)
{
    ald_graph graph;
    ald_laplacian l;
    double v[n], out[n];
    int64_t added;
    const ald_rows all = {.z = z};
    for (int i = 0; i < n; i++) v[i] = i;
    ALD_TRY(ald_graph_build(run, z, &p->options, &graph));
    ALD_TRY(ald_laplacian_of_graph(run, &graph, ALD_WEIGHTS_HEAT, 0.0, &l));
    ALD_TRY(ald_laplacian_apply_normalised(run, &l, v, 1, out));
    ALD_TRY(ald_laplacian_of_all(run, &all, 0.0, 0, &l));
    ALD_TRY(ald_laplacian_apply(run, &l, v, 1, out));
    ALD_TRY(ald_graph_connect(run, z, &graph, &added));
    return ald_graph_from_matrix(run, &z->x, n, &graph) == ALD_ERROR_DATA ? ALD_OK : ALD_ERROR_MEMORY;
}

static void fail_each(const plan *p, const ald_operator *z)
{
    long failures = 0;
    for (long k = 0;; k++) {
        ledger_begin(-1);
        const ald_options options = {.size = sizeof options, .threads = 2, .allocator = ledger_allocator()};
        ald_context *context;
        ald_run run;
        ald_error error;
        assert_done(ald_context_new(&options, &context, &error), error);
        ledger_fail_after(k);
        ald_run_begin(&run, context, &error);
        const ald_status status = ald_run_end(&run, use(&run, p, z));
        ald_context_free(context);
        assert_int_equal(ledger_live(), 0);
        if (!ledger_failed()) {
            assert_done(status, error);
            break;
        }
        if (status != ALD_ERROR_MEMORY)
            fail_msg("%s: allocation %ld failed and gave %s", p->name, k, error.message);
        failures++;
    }
    print_message("%s: %ld allocations failed in turn\n", p->name, failures);
    assert_true(failures > 30);
}

static void every_graph(void **state)
{
    (void)state;
    static const plan plans[] = {
        {"knn", {.n_neighbors = 2}, 0, NULL},
        {"knn, csc", {.n_neighbors = 2}, 7, NULL},
        {"knn, f32", {.n_neighbors = 2}, 4, NULL},
        {"epsilon", {.kind = ALD_GRAPH_EPSILON, .radius = 2.5}, 0, NULL},
        {"enclosing", {.kind = ALD_GRAPH_ENCLOSING}, 0, NULL},
        {"natural", {.kind = ALD_GRAPH_NATURAL}, 5, "qhull"},
        {"approximate", {.n_neighbors = 2, .approximate = 1}, 1, "hnswlib"},
    };
    double *x = support_normals(1, n * d);
    for (int i = 0; i < n; i++) x[i * d] += 8.0 * (i % 3);
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        if (plans[i].feature && !strstr(ald_build_features(), plans[i].feature)) continue;
        support_matrix m = support_storage(plans[i].storage, x, n, d);
        const ald_operator z = {.x = m.view};
        fail_each(&plans[i], &z);
        support_storage_free(&m);
    }
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_graph)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
