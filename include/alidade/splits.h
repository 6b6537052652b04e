/* Dividing rows into training and test parts. */
#ifndef ALIDADE_SPLITS_H
#define ALIDADE_SPLITS_H

#include <alidade/context.h>
#include <alidade/matrix.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How rows are divided into training and test parts. Begin with ALD_SPLITS_OPTIONS_INIT, then set what
 * differs. */
typedef struct ald_splits_options {
    size_t size;
    int64_t splits; /* number of random splits; 0: 10 */
    double train;   /* fraction of the rows for training; 0: two thirds */
    int64_t folds;  /* instead: number of parts of equal size, each the test part in turn; 0: random splits */
    int64_t repeats; /* of the folds, each time with different ones; 0: 1 */
    /* Equal class proportions in all parts: 1 yes, -1 no, 0 yes unless there are groups. */
    int stratify;
    const int64_t *groups; /* one number per row: rows with the same number stay together; NULL: none */
    int keep_duplicates;   /* rows that are equal in X and target stay together too */
    /* Predefined parts: one number per row, from 0 to n_parts - 1. Each part is the test part in turn, and
     * all others train; if test_part is 1 or more, only part test_part - 1 is tested on. NULL: parts are
     * drawn as described above. */
    const int64_t *parts;
    int64_t n_parts, test_part;
    uint64_t seed;
} ald_splits_options;
#define ALD_SPLITS_OPTIONS_INIT ALD_INIT(ald_splits_options)

typedef struct ald_splits ald_splits;

/* `options` NULL: 10 random splits. `y` may be NULL if nothing is stratified. Rows without a target
 * (y->labelled) are in no test part and in every training part. Fewer rows, or groups, than parts is an
 * error. */
ALD_API ald_status ald_splits_new(ald_context *context, const ald_matrix *x, const ald_target *y,
                                  const ald_splits_options *options, ald_splits **splits, ald_error *error);
ALD_API void ald_splits_free(ald_splits *splits);
ALD_API int64_t ald_splits_count(const ald_splits *splits);
/* The rows of a split in increasing order. `train` and `test` have room for all rows, or are NULL. A split
 * that does not exist has none. */
ALD_API void ald_splits_rows(const ald_splits *splits, int64_t split, int64_t *train, int64_t *n_train,
                             int64_t *test, int64_t *n_test);
/* A description: "10 random splits, 2/3 of the rows for training, stratified by class". */
ALD_API const char *ald_splits_note(const ald_splits *splits);
/* The number of test rows, summed over the splits, that have an equal row (in X and target) in the training
 * part. */
ALD_API int64_t ald_splits_duplicates(const ald_splits *splits);

#ifdef __cplusplus
}
#endif
#endif
