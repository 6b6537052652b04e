/* Sizes at which the library changes its way, samples, or refuses. Each stands here once, with its reason;
 * sizes of blocks, buffers and pictures stay where they are used. */
#ifndef ALD_SETTINGS_LIMITS_H
#define ALD_SETTINGS_LIMITS_H

enum {
    /* -- squares: order n, 8 n^2 bytes, some 9 n^3 operations for a decomposition -- */

    /* The largest that is formed or kept where there is another way, or where rows are streamed: scatter and
     * Gram matrices that `solver=auto` chooses among, moments, a whole kernel. 200 MB, 1.1e12 operations. */
    ALD_SQUARE_ORDER = 5000,
    /* The largest that is decomposed where the method has no other way: 800 MB, 9e12 operations. Beyond, the
     * method refuses before it begins. */
    ALD_LARGEST_ORDER = 10000,
    /* The largest that conditions a minimisation (math/optimize/basis.h): it must cost less than the
     * iterations that it saves. 7e10 operations. */
    ALD_BASIS_ORDER = 2000,
    /* Unknowns p (p + 1) / 2 of a quadratic form of W W' that is added up over pairs: A has 32 MB, and every
     * step multiplies by it. 2000 unknowns are p = 62 columns. */
    ALD_QUADRATIC_UNKNOWNS = 2000,
    /* Columns of a factor of a kernel of the target by incomplete Cholesky. */
    ALD_FACTOR_COLUMNS = 2000,

    /* Rows times classes up to which a method goes over a column for each class again and again: 67 MB. So
     * few classes are no burden beside X, however many rows there are. */
    ALD_CLASS_CELLS = 1 << 23,
    ALD_FEW_CLASSES = 20,

    /* -- rows that stand for all -- */

    /* For the median of the distances of rows: two million pairs. Measured on normal rows, 12 draws of 2000:
     * the standard deviation of the median is 1.2 % of it with 2 columns, 0.4 % with 10, 0.1 % with 100. */
    ALD_MEDIAN_ROWS = 2000,
    /* Up to which widths of kernels are tried in units of that median: n x n is computed for each. */
    ALD_WIDTH_GRID_ROWS = 5000,
    /* Up to which continuity sums over all rows; beyond, the pairs that are looked at stay about as many. */
    ALD_CONTINUITY_ROWS = 20000,

    /* -- files -- */

    /* Columns that a sparse file may claim whatever it holds, columns for each entry that it has, and columns
     * that a block of a stream may claim, which may be the last rows of a large file. Each column takes some
     * hundred bytes while its file is read; the sets that are known have up to 100 columns for an entry of a
     * few of their rows. `max_columns` raises them. */
    ALD_FREE_COLUMNS = 1 << 20,
    ALD_COLUMNS_AN_ENTRY = 1024,
    ALD_BLOCK_COLUMNS = 1 << 24,
    /* Bytes of a line: six million cells of ten. A file without line ends is no table; read in blocks it
     * would be in memory several times. `max_line` raises it. */
    ALD_LONGEST_LINE = 1 << 26,
    /* Bytes of the cells of a sheet as text: a workbook of 1 MB may unpack to a thousand. */
    ALD_SHEET_TEXT = 1 << 30,

    /* -- judging -- */

    /* Cells of sparse X that a baseline on all features may make dense: 268 MB. */
    ALD_BASELINE_CELLS = 1 << 25,
    /* Columns up to which the chi-square tests find the rank of X by a decomposition: 72 MB. */
    ALD_CHI_SQUARE_COLUMNS = 3000,
    /* Errors per response that a calibrated model keeps: the level of an interval is known to
     * sqrt(L (1 - L) / m), 0.003 for L = 0.9, and they take 80 kB. */
    ALD_MOST_ERRORS = 10000,
    /* Up to which a kernel method of the usual search compares all rows; beyond, some stand for them. */
    ALD_PORTFOLIO_ROWS = 1800,
    /* Settings of one method that grids may give: more are a slip, and would take days. */
    ALD_MOST_VARIANTS = 100000,
};

/* Bytes of the moments of all parts of all divisions that cross-validation keeps (judge/cells/sums.c). */
#define ALD_FOLD_BYTES 5e8
/* Bytes of the rotated rows of a split that a comparison keeps (judge/cells/rotation.h). */
#define ALD_ROTATION_BYTES 5e8
/* Bytes of the scores of a split that a comparison keeps for other predictors (judge/cells/maps.h). */
#define ALD_MAP_BYTES 1e8
/* Bytes of kernels and products of rows that the fits to the rows of a split share (core/tryout.h), on each
 * thread. */
#define ALD_COMMON_BYTES 2e8
/* Operations of one fit by each of the settings of the usual search (judge/choosing/portfolio.c): some two
 * seconds. A tuning fits all of them some twenty times. */
#define ALD_PORTFOLIO_WORK 1.5e10
/* Operations of one fit to all features that a tuning shows beside its choice: half a second. */
#define ALD_FEATURES_WORK 2e9
/* Operations of a baseline's decomposition: half a minute. */
#define ALD_BASELINE_WORK 1e11
/* Entries of sparse X that the permutation test may make dense: 160 MB. */
#define ALD_PERMUTED_ENTRIES 2e7

#endif
