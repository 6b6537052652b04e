/* A card: a device with memory of its own, on which X stands while it is used.
 *
 * What a card can do is a table that a module fills (src/math/device/cuda, a file of its own; tests have
 * one of plain loops): it is plain C, and the module calls nothing of the library. Whatever is not X lies
 * in the memory of the host, as doubles, row after row without gaps, and is copied by the module. All
 * functions may be called by several threads at the same time. */
#ifndef ALD_DEVICE_CARD_H
#define ALD_DEVICE_CARD_H

#include <alidade/device.h>
#include <alidade/matrix.h>

/* FULL: the memory of the card does not suffice; nothing has changed. */
typedef enum ald_card_code { ALD_CARD_OK = 0, ALD_CARD_FULL = 1, ALD_CARD_FAILED = 2 } ald_card_code;

/* n rows of a matrix on the card, from `first` on, prepared as operator.h says; vectors may be NULL. */
typedef struct ald_card_rows {
    void *x; /* the module's */
    int64_t first, n, d;
    const double *row_shift, *row_factor, *row_weight; /* n */
    const double *mean, *inverse_scale;                /* d */
} ald_card_rows;

/* Sums over the rows (column_sums below). */
typedef struct ald_card_sums {
    const double *weights; /* n; NULL: 1 */
    const double *base;    /* d: subtracted before anything is summed */
    double *sums;          /* d: of the weighted differences; NULL: not wanted, as those below */
    double *squares;       /* d: of their weighted squares */
    double *peak;          /* d: the largest absolute difference */
    double *low, *high;    /* d: of the values themselves */
} ald_card_sums;

/* Sums over the stored entries of each column of sparse X (entry_sums below). With v = row_factor value and
 * o = -row_factor row_shift, which is what a zero of the row becomes, an entry is e = v + o. */
typedef struct ald_card_entries {
    const double *weights;     /* n; NULL: 1 */
    const double *base, *mean; /* d: those that `sums` and `squares` are about */
    double *counts;            /* d, as all below: entries; NULL: not wanted, as those below */
    double *stored;            /* the sum of their weights */
    double *first;             /* v of the entry of the first row; 0 without entries */
    double *sums;              /* of w (v - base) */
    double *squares;           /* of w (e - mean)^2; `differences`: of w ((e - mean)^2 - (o - mean)^2) */
    int differences;
    double *peak, *low, *high; /* the largest |e|, the smallest and largest e */
} ald_card_entries;

/* Kernels of rows a and b: a'b; exp(-|a - b|^2 / (2 width^2)); (a'b + coef0)^degree; a'b / (|a| |b|). */
typedef enum ald_card_kernel_kind {
    ALD_CARD_LINEAR,
    ALD_CARD_RBF,
    ALD_CARD_POLYNOMIAL,
    ALD_CARD_COSINE,
} ald_card_kernel_kind;
typedef struct ald_card_kernel {
    ald_card_kernel_kind kind;
    double width, coef0;
    int64_t degree;
} ald_card_kernel;

/* The k nearest of some rows of Z to others (nearest below): lists of rows, NULL for all n. */
typedef struct ald_card_nearest {
    const double *scale; /* d: differences of columns are multiplied by it; NULL: 1 */
    const int64_t *queries, *references;
    int64_t n_queries, n_references, k;
    int skip_same;       /* a row is not its own neighbour */
    int64_t *neighbours; /* n_queries x k: places in the list of references, nearest first, ties by place */
    double *squares;     /* n_queries x k: distances, from differences in double */
} ald_card_nearest;
/* Most neighbours that a card finds. */
enum { ALD_CARD_MOST_NEAREST = 128 };

/* Pairs of rows with weights and wanted squared distances, by row as math/graph/pairs.h has them, and the
 * coordinates F = Z M in which W is (math/optimize/basis.h). */
typedef struct ald_card_stress {
    const int64_t *pointers, *upper; /* n + 1, n */
    const int32_t *partners;
    const double *weights, *squares;
    int64_t p;
    const double *matrix;   /* M, d x p; NULL: diagonal, or I */
    const double *diagonal; /* d */
} ald_card_stress;
/* Most columns of one point. */
enum { ALD_CARD_MOST_STRESS = 16 };

enum { ALD_CARD_FORMAT = 11 };
typedef struct ald_card_table {
    int format;
    /* The card of a number; NULL and what went wrong in `trouble`. */
    void *(*open)(int number, ald_device_facts *facts, char *trouble, size_t size);
    void (*close)(void *card);
    /* What has been copied and computed, added to `facts`. */
    void (*count)(void *card, ald_device_facts *facts);
    /* What went wrong last on the calling thread. */
    const char *(*trouble)(void *card);

    /* Copies a matrix to the card, dense or sparse; takes one of ALD_ON_DEVICE as it is, which must not
     * change meanwhile; frees what it has copied. */
    ald_card_code (*hold)(void *card, const ald_matrix *x, void **held);
    ald_card_code (*adopt)(void *card, const ald_matrix *x, void **held);
    void (*release)(void *card, void *held);

    /* u (n x k) = Z v, v d x k; u may be memory of the card. */
    ald_card_code (*apply)(void *card, const ald_card_rows *z, const double *v, int64_t k, double *u);
    /* v (d x k) = Z'u, u n x k. */
    ald_card_code (*apply_transposed)(void *card, const ald_card_rows *z, const double *u, int64_t k,
                                      double *v);
    /* u <- Z v - u diag(alpha), w = Z'u; u NULL: w = Z'Z v. */
    ald_card_code (*advance)(void *card, const ald_card_rows *z, const double *v, int64_t k,
                             const double *alpha, double *u, double *w);
    /* Upper triangle of c (d x d) = Z'Z, with k > 0 also b (d x k) = Z'h. */
    ald_card_code (*scatter)(void *card, const ald_card_rows *z, const double *h, int64_t k, double *c,
                             double *b);
    /* Upper triangle of g (n x n) = Z Z'. */
    ald_card_code (*gram)(void *card, const ald_card_rows *z, double *g);
    ald_card_code (*square_norm)(void *card, const ald_card_rows *z, double *sum);
    ald_card_code (*column_sums)(void *card, const ald_card_rows *z, const ald_card_sums *sums);
    /* Writes bytes to memory of the card that is the caller's. */
    ald_card_code (*put)(void *card, const void *from, int64_t bytes, void *to);
    /* Z (n x d) written out. */
    ald_card_code (*fetch)(void *card, const ald_card_rows *z, double *rows);
    /* The place, row * d + column, of the first entry of X that is not finite; -1: there is none. */
    ald_card_code (*find_bad)(void *card, const ald_card_rows *x, int64_t *place);
    /* HKH (n x n) of the kernel of all rows, kept on the card until it is released; the means of the columns
     * of K, and the diagonal of HKH (n both). */
    ald_card_code (*kernel)(void *card, const ald_card_rows *z, const ald_card_kernel *kernel, void **held,
                            double *mean, double *diagonal);
    /* As ald_backend.eigen. */
    ald_card_code (*eigen)(void *card, int64_t n, double *a, int64_t wanted, double *values, double *vectors);
    /* Z without mean, scale and weights; there are k references, and one more with `skip_same`. */
    ald_card_code (*nearest)(void *card, const ald_card_rows *z, const ald_card_nearest *nearest);
    /* As scatter, with k > 0, of an h that has one entry in each row: value_i in column code_i. */
    ald_card_code (*scatter_codes)(void *card, const ald_card_rows *z, const int32_t *code,
                                   const double *value, int64_t k, double *c, double *b);

    /* Sparse X has apply, apply_squared, apply_transposed, advance, scatter, panel_advance and this. */
    ald_card_code (*entry_sums)(void *card, const ald_card_rows *z, const ald_card_entries *sums);

    /* Panels: rows x k numbers that stay on the card until they are released, dense matrices for fetch. They
     * begin as `values`, or as 0 without. */
    ald_card_code (*panel)(void *card, int64_t rows, int64_t k, const double *values, void **held);
    /* advance of panels; u may not be NULL. */
    ald_card_code (*panel_advance)(void *card, const ald_card_rows *z, void *v, int64_t k,
                                   const double *alpha, void *u, void *w);
    /* a (rows x k) <- a diag(f) + b diag(g); b NULL: a diag(f). */
    ald_card_code (*panel_combine)(void *card, int64_t rows, int64_t k, void *a, const double *f, void *b,
                                   const double *g);
    /* Sums of the squares of the columns (k). */
    ald_card_code (*panel_squares)(void *card, int64_t rows, int64_t k, void *a, double *squares);
    /* to (rows x count) = these columns of from (rows x k), which rise; both may be the same panel. */
    ald_card_code (*panel_take)(void *card, int64_t rows, int64_t k, void *from, int64_t count,
                                const int64_t *which, void *to);
    /* The exact criterion of kdr (methods/kdr) of n rows in r dimensions, with its matrices kept on the
     * card until it is closed; several may be open, each used by one thread. F (n x m) of its target; f at
     * z (n x r), `definite` 0: the matrix is not positive definite; and the pull (n x r) at the point of
     * the last value. */
    ald_card_code (*kdr_open)(void *card, int64_t n, int64_t r, void **kdr);
    void (*kdr_close)(void *card, void *kdr);
    ald_card_code (*kdr_target)(void *card, void *kdr, int64_t m, const double *f);
    ald_card_code (*kdr_value)(void *card, void *kdr, const double *z, double width, double penalty,
                               double *value, int *definite);
    ald_card_code (*kdr_pull)(void *card, void *kdr, double *pull);
    /* The stress of squares over pairs (math/optimize/stress.h), with its scores kept on the card until it
     * is closed: to W (p x k, points of r columns side by side); values (one per point) and gradient (p x k);
     * the coefficients along V, 5 per point; and `steps` along it, one per point. Z is the one it was
     * opened for. */
    ald_card_code (*stress_open)(void *card, const ald_card_rows *z, const ald_card_stress *what,
                                 void **stress);
    void (*stress_close)(void *card, void *stress);
    ald_card_code (*stress_place)(void *card, const ald_card_rows *z, void *stress, const double *w,
                                  int64_t k);
    ald_card_code (*stress_gradient)(void *card, const ald_card_rows *z, void *stress, int64_t r,
                                     double scale, double *values, double *g);
    ald_card_code (*stress_line)(void *card, const ald_card_rows *z, void *stress, int64_t r, double scale,
                                 const double *v, double *coefficients);
    ald_card_code (*stress_move)(void *card, void *stress, int64_t r, const double *steps);
    /* scatter (d x d) = scale Z'L Z, L the Laplacian of the pairs: their pointers, partners and weights. */
    ald_card_code (*pair_scatter)(void *card, const ald_card_rows *z, const ald_card_stress *what,
                                  double scale, double *scatter);
    /* How many cards there are. */
    int (*cards)(void);
    /* Some of the rows, by their numbers and in that order, as a matrix that is released as others. */
    ald_card_code (*select)(void *card, const ald_card_rows *x, const int64_t *rows, int64_t n, void **held);
    /* u (n x p) = (Z v o Z v) f, the entries of Z v squared; v d x k, f k x p. */
    ald_card_code (*apply_squared)(void *card, const ald_card_rows *z, const double *v, int64_t k,
                                   const double *f, int64_t p, double *u);
} ald_card_table;

/* The entry of a module. */
#define ALD_CUDA_FILE "alidade-cuda.so"
#define ALD_CUDA_ENTRY "ald_cuda_table"
typedef const ald_card_table *(*ald_card_entry_fn)(void);

struct ald_device {
    const ald_card_table *table;
    void *card;
    int always; /* asked for by name: small fits are computed there too, and failures are errors */
    ald_device_facts facts;  /* name and memory */
    struct ald_gate *blocks; /* of blocks of rows that pass through the card */
};

/* The number of the card that a name means for a rank: without a number in it, ranks take the cards in turn.
 * -1: it is no name of a card. */
int ald_card_number(const ald_card_table *table, const char *name, int rank);
/* A device of this table, which is not closed before it; in `trouble` why not. */
ald_status ald_device_with(const ald_card_table *table, int number, int always, ald_device **device,
                           char *trouble, size_t size);

#endif
