/* The criterion of kernel dimension reduction and its gradient.
 *
 *   f(B)  = Tr[Ky^c A]
 *   A     = (Kz^c + n eps I)^-1
 *   K^c   = H K H
 *   Kz_ij = exp(-|z_i - z_j|^2 / (2 s^2))
 *   z     = B'u
 *
 * The target enters as Ky^c = F F' with centred columns F (n x m), so that f = |R'^-1 F|^2 with R'R = A^-1:
 * nothing is inverted, and A Ky^c A = P P' with P = A F. With dKz known, df = -Tr[P P' dKz] (P is centred,
 * H P = P):
 *
 *   gradient = -(2 / s^2) U'(diag(S 1) - S) U B
 *   S        = G o Kz
 *   G        = -P P'
 *
 * Two forms, with one interface:
 *
 *   exact      n x n. A value is n^3 / 3 + n^2 m, a gradient n^2 (2 m + r) more. Memory n^2: K below the
 *              diagonal, R above. Where K is of low rank to rounding a value is less (kdr_objective.c).
 *   low rank   Kz is replaced by C (W + delta I)^-1 C', C the columns of l pivots and W their rows. The
 *              pivots are those of an incomplete Cholesky factorization and stay fixed during a line search,
 *              so that this is a smooth function of B and the gradient is its own, exactly. With T the upper
 *              triangle of W + delta I and V = T'^-1 C' (l x n) centred,
 *
 *                M    = V V' + n eps I
 *                beta = M^-1 V F
 *                P    = (F - V'beta) / (n eps)
 *                f    = (|F|^2 - beta'V F) / (n eps)
 *                g    = T^-1 beta (l x m)
 *                dC:  -2 P g'
 *                dW:  g g'
 *
 *              A value is n l (2 l + m), a gradient 4 n l m more. Memory 2 n l + n m.
 *
 * Directions are kept as rows, B' (r x p), as in a model. Nothing here allocates after `prepare`, asks for
 * progress or writes to what is shared, so that several points can be worked on at once, each with its own
 * `ald_kdr_work`. */
#ifndef ALD_KDR_KDR_OBJECTIVE_H
#define ALD_KDR_KDR_OBJECTIVE_H

#include "methods/kdr/kdr_data.h"

/* What f depends on besides B. */
typedef struct ald_kdr_criterion {
    const ald_kdr_rows *rows;
    int64_t r;
    double penalty;               /* n eps */
    double width;                 /* s */
    const ald_kdr_factor *target; /* F, centred */
    const int64_t *pivots;        /* low rank: l rows */
    int64_t l;
    int *whole; /* exact: becomes 1 when K has shown not to be of low rank; NULL: it is taken as a whole */
} ald_kdr_criterion;

typedef struct ald_kdr_work {
    int threads;       /* exact: that share the kernel matrix; 1 where others work on other starts */
    double *z, *pull;  /* n x r: U B, and (diag(S 1) - S) U B */
    double *p;         /* n x m: R'^-1 F, then P */
    double *square;    /* exact: n x n */
    double *means;     /* exact: n */
    int64_t l;         /* exact: rows of the factor of K, if it has one (kdr_objective.c); else 0 */
    double *block;     /* exact: a few rows of P P' */
    double *turned;    /* exact: r x n, the transpose of z */
    double *c, *v;     /* low rank: l x n each */
    double *w, *t, *m; /* low rank: l x l */
    double *beta, *g;  /* low rank: l x m */
    void *card;        /* exact: on a card; NULL: here */
    const double *b;   /* on a card: the point of the last value */
} ald_kdr_work;

typedef struct ald_kdr_form {
    /* Room for a criterion of at most this size. */
    ald_status (*prepare)(ald_run *run, const ald_kdr_criterion *size, ald_kdr_work *work);
    ald_status (*value)(ald_run *run, const ald_kdr_criterion *c, const double *b, ald_kdr_work *work,
                        double *f);
    /* r x p; at the point of the last value. */
    ald_status (*gradient)(ald_run *run, const ald_kdr_criterion *c, ald_kdr_work *work, double *gradient);
} ald_kdr_form;

/* on_card: the exact form on the card of work->card, or here where there is none (kdr_on_card.c). */
extern const ald_kdr_form ald_kdr_exact, ald_kdr_low_rank, ald_kdr_on_card;

/* What the forms begin and end with: z = U B; the gradient -(factor / s^2) U'pull; and what is said where
 * A^-1 is not positive definite. */
ald_status ald_kdr_project(ald_run *run, const ald_kdr_criterion *c, const double *b, ald_kdr_work *work);
ald_status ald_kdr_pull_back(ald_run *run, const ald_kdr_criterion *c, const ald_kdr_work *work,
                             double factor, double *gradient);
ald_status ald_kdr_indefinite(ald_run *run, const ald_kdr_criterion *c);

/* The descent (kdr_search.c): several starts, each one step per stage while the kernels become narrower. */
typedef struct ald_kdr_search {
    const ald_kdr_rows *rows;
    const ald_kdr_target *target;
    int64_t r, n_starts, n_stages;
    int64_t rank; /* at most this many columns of the factors; 0: exact */
    double eps, width;
    uint64_t seed;
    /* Results, of the start with the lowest f at the final width. */
    double *b;           /* r x p, in scratch */
    double value, slope; /* f, |D| */
    int64_t best, evaluations, kernel_rank, response_rank;
    double kernel_left, response_left; /* parts of the traces that are left out */
    double *values;                    /* n_starts: f of each */
} ald_kdr_search;

/* The criteria of a search on the card of the run, one per part; NULL: there is no card, or the processor is
 * faster. The target of a stage goes to one of them. */
ald_status ald_kdr_cards_open(ald_run *run, const ald_kdr_search *search, int parts, void **cards);
void ald_kdr_cards_close(ald_run *run, int parts, void **cards);
ald_status ald_kdr_card_target(ald_run *run, const ald_kdr_factor *target, void *card, ald_kdr_work *work);

/* Progress goes by the stages of the search of n rows of d columns alone: all else comes again in each of
 * them, or is short. To be called before any of it. */
void ald_kdr_search_announce(const ald_run *run, const ald_kdr_search *search, int64_t n, int64_t d);
ald_status ald_kdr_search_run(ald_run *run, ald_kdr_search *search);

#endif
