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

enum { ALD_CARD_FORMAT = 3 };
typedef struct ald_card_table {
    int format;
    /* The card of a number; NULL and what went wrong in `trouble`. */
    void *(*open)(int number, ald_device_facts *facts, char *trouble, size_t size);
    void (*close)(void *card);
    /* What has been copied and computed, added to `facts`. */
    void (*count)(void *card, ald_device_facts *facts);
    /* What went wrong last on the calling thread. */
    const char *(*trouble)(void *card);

    /* Copies a dense matrix to the card; takes one of ALD_ON_DEVICE as it is, which must not change
     * meanwhile; frees what it has copied. */
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
} ald_card_table;

/* The entry of a module. */
#define ALD_CUDA_FILE "alidade-cuda.so"
#define ALD_CUDA_ENTRY "ald_cuda_table"
typedef const ald_card_table *(*ald_card_entry_fn)(void);

struct ald_device {
    const ald_card_table *table;
    void *card;
    int always; /* asked for by name: small fits are computed there too, and failures are errors */
    ald_device_facts facts; /* name and memory */
};

/* A device of this table, which is not closed before it; in `trouble` why not. */
ald_status ald_device_with(const ald_card_table *table, int number, int always, ald_device **device,
                           char *trouble, size_t size);

#endif
