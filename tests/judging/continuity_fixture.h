/* Measures continuity for the tests. */
#ifndef TESTS_JUDGING_CONTINUITY_FIXTURE_H
#define TESTS_JUDGING_CONTINUITY_FIXTURE_H

#include "data/encode/dataset.h"
#include "support/fitting.h"
#include "support/support.h"

#include <string.h>

enum { most = 64 };

typedef struct fixture {
    ald_context *context;
    ald_error error;
    ald_continuity_point points[most];
    ald_continuity_summary summary;
} fixture;

static inline int set_up(void **state)
{
    static fixture f;
    memset(&f, 0, sizeof f);
    f.points[0].size = sizeof f.points[0];
    f.summary.size = sizeof f.summary;
    f.context = support_context(2, NULL);
    *state = &f;
    return 0;
}

static inline int tear_down(void **state)
{
    ald_context_free(((fixture *)*state)->context);
    return 0;
}

static inline void measure(fixture *f, const double *z, int64_t r, const ald_target *y,
                           const ald_continuity_options *options)
{
    assert_done(ald_continuity(f->context, z, r, y, options, f->points, most, &f->summary, &f->error),
                f->error);
}

#endif
