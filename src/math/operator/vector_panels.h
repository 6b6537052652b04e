/* Panels: blocks of vectors, rows x k, that a solver keeps where X is. In the memory of the host they are
 * arrays; where X stands on a card they stay there, and the host sees numbers per column only. A solver that
 * finds its card gone (`lost`) begins again with panels of the host. */
#ifndef ALD_OPERATOR_VECTOR_PANELS_H
#define ALD_OPERATOR_VECTOR_PANELS_H

#include "math/operator/operator.h"

typedef struct ald_panel_home {
    const ald_operator *z; /* on a card; NULL: panels are in the memory of the host */
    int lost;              /* the card has failed, and the processor may compute instead */
    const struct ald_held *before;
} ald_panel_home;

typedef struct ald_panel {
    ald_panel_home *home;
    int64_t rows, k;
    double *values; /* in the memory of the host; NULL: on the card */
    void *on_card;
} ald_panel;

/* Where the panels of a solver with Z belong. */
ald_panel_home ald_panels_with(const ald_run *run, const ald_operator *z);
/* Gives up the panels on the card. */
void ald_panels_give_up(ald_run *run, const ald_panel_home *home);
/* In scratch, or on the card until it is given up; `values` NULL: zeros. */
ald_status ald_panel_new(ald_run *run, ald_panel_home *home, int64_t rows, int64_t k, const double *values,
                         ald_panel *panel);
/* u <- Z v - u diag(alpha), w = Z'u, of panels on a card. */
ald_status ald_panel_advance(ald_run *run, const ald_panel *v, const double *alpha, ald_panel *u,
                             ald_panel *w);
/* a <- a diag(f) + b diag(g); b NULL: a diag(f). */
ald_status ald_panel_combine(ald_run *run, ald_panel *a, const double *f, const ald_panel *b,
                             const double *g);
/* Sums of the squares of the columns. */
ald_status ald_panel_squares(ald_run *run, const ald_panel *a, double *squares);
/* to = these columns of from, which rise; both may be the same panel. */
ald_status ald_panel_take(ald_run *run, const ald_panel *from, int64_t count, const int64_t *which,
                          ald_panel *to);
/* The values; those of a card are copied into scratch. */
ald_status ald_panel_read(ald_run *run, const ald_panel *panel, const double **values);

#endif
