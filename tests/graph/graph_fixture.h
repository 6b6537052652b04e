/* Builds graphs for the tests of their kinds. */
#ifndef TESTS_UNIT_GRAPH_FIXTURE_H
#define TESTS_UNIT_GRAPH_FIXTURE_H

#include "math/graph/build.h"
#include "math/graph/nnls.h"
#include "math/linalg/linalg.h"
#include "math/near/points.h"
#include "support/pairs.h"
#include "support/storages.h"
#include "support/support.h"

#include <string.h>

typedef struct built {
    ald_context *context;
    ald_run run;
    ald_error error;
    ald_graph graph;
} built;

static inline void begin(built *b, int threads)
{
    b->context = support_context(threads, NULL);
    support_run(&b->run, b->context, &b->error);
}

static inline void end(built *b)
{
    ald_run_end(&b->run, ALD_OK);
    ald_context_free(b->context);
}

static inline ald_status build(built *b, ald_graph_kind kind, const double *x, int64_t n, int64_t d,
                               int threads)
{
    const ald_operator z = {.x = ald_matrix_row_major(x, n, d, d)};
    const ald_graph_options options = {.kind = kind, .n_neighbors = 1};
    begin(b, threads);
    return ald_graph_build(&b->run, &z, &options, &b->graph);
}

static inline int has_feature(const char *name)
{
    if (strstr(ald_build_features(), name)) return 1;
    print_message("skipped: this build has no %s\n", name);
    return 0;
}

#endif
