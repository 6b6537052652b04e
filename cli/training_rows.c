/* Whether rows are those that a model was fitted on: as many, and columns with the same means, to rounding. A
 * linear model has the means; a model with a kernel has the rows themselves, unless they were many. */
#include "cli.h"

#include "option_table.h"
#include "ranks/gather_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sum of a column, and the largest of its entries. */
typedef struct column {
    double sum, size;
} column;

static void add_entry(column *to, double value)
{
    to->sum += value;
    to->size = fmax(to->size, fabs(value));
}

static int64_t index_at(const ald_matrix *x, const void *list, int64_t k)
{
    return x->index_bits == 32 ? ((const int32_t *)list)[k] : ((const int64_t *)list)[k];
}

/* Only of f64, dense or by rows. */
static int has_columns(const ald_matrix *x)
{
    return x->type == ALD_F64 && (x->storage == ALD_DENSE || x->storage == ALD_CSR);
}

static void add_columns(const ald_matrix *x, column *columns)
{
    const double *values = x->values;
    for (int64_t j = 0; x->storage == ALD_DENSE && j < x->cols; j++)
        for (int64_t i = 0; i < x->rows; i++)
            add_entry(&columns[j], values[i * x->row_stride + j * x->col_stride]);
    if (x->storage == ALD_DENSE) return;
    const int64_t count = index_at(x, x->pointers, x->rows);
    for (int64_t k = 0; k < count; k++) {
        const int64_t j = index_at(x, x->indices, k);
        if (j >= 0 && j < x->cols) add_entry(&columns[j], values[k]); /* a file may claim anything */
    }
}

static const void *vector_of(const ald_model *model, const char *name, ald_array_type type, int64_t length)
{
    ald_array array;
    const int found = ald_model_array(model, name, &array) && array.type == type && array.dims == 1 &&
                      array.shape[0] == length;
    return found ? array.data : NULL;
}

/* The rows of the fit, which a kernel compares others with. */
static int find_kept_rows(const ald_model *model, int64_t rows, int64_t cols, ald_matrix *kept)
{
    const int64_t *pointers = vector_of(model, "landmarks.indptr", ALD_ARRAY_I64, rows + 1);
    ald_array dense;
    if (ald_model_array(model, "landmarks", &dense) && dense.type == ALD_ARRAY_F64 && dense.dims == 2) {
        *kept = ald_matrix_row_major(dense.data, rows, cols, cols);
        return dense.shape[0] == rows && dense.shape[1] == cols;
    }
    if (!pointers) return 0;
    *kept = ald_matrix_csr(rows, cols, pointers,
                           vector_of(model, "landmarks.indices", ALD_ARRAY_I64, pointers[rows]),
                           vector_of(model, "landmarks.data", ALD_ARRAY_F64, pointers[rows]));
    return kept->indices && kept->values;
}

/* The means of the rows of the fit, which the caller frees; NULL: not known. */
static double *means_of(const ald_model *model, const ald_matrix *x, int64_t rows)
{
    const double *mean = vector_of(model, "mean", ALD_ARRAY_F64, x->cols),
                 *scale = vector_of(model, "scale", ALD_ARRAY_F64, x->cols),
                 *shift = vector_of(model, "shift", ALD_ARRAY_F64, x->cols);
    ald_matrix kept;
    if (!mean && !find_kept_rows(model, rows, x->cols, &kept)) return NULL;
    double *means = calloc((size_t)x->cols, sizeof *means);
    column *sums = calloc((size_t)x->cols, sizeof *sums);
    if (sums && !mean) add_columns(&kept, sums);
    for (int64_t j = 0; means && sums && j < x->cols; j++) {
        means[j] = mean ? mean[j] : sums[j].sum / (double)rows;
        if (!mean && scale) means[j] *= scale[j];
        if (!mean && shift) means[j] += shift[j];
    }
    free(sums);
    return means;
}

/* How many rows the model was fitted on, where they can be compared with those of x; else 0. */
static int64_t rows_to_compare(const ald_model *model, const ald_matrix *x)
{
    const char *text = ald_model_text(model, "alidade.n_samples"),
               *row_scale = ald_model_text(model, "alidade.param.row_scale");
    int64_t rows = 0;
    if (!has_columns(x) || !text || (row_scale && strcmp(row_scale, "none") != 0)) return 0;
    return cli_read_int(text, &rows) ? rows : 0;
}

/* What ranks have gathered: the columns of each, then in one more the number of its rows. */
static int are_same(const column *all, int ranks, int64_t cols, const double *means, int64_t count)
{
    double rows = 0.0;
    for (int r = 0; r < ranks; r++) rows += all[r * (cols + 1) + cols].sum;
    if (rows < (double)count || rows > (double)count) return 0;
    for (int64_t j = 0; j < cols; j++) {
        column whole = {0};
        for (int r = 0; r < ranks; r++) {
            whole.sum += all[r * (cols + 1) + j].sum;
            whole.size = fmax(whole.size, all[r * (cols + 1) + j].size);
        }
        if (!(fabs(whole.sum / rows - means[j]) <= 1e-10 * whole.size)) return 0;
    }
    return 1;
}

static column *new_columns(const ald_matrix *x)
{
    column *columns = calloc((size_t)x->cols + 1, sizeof *columns);
    if (columns) add_columns(x, columns);
    if (columns) columns[x->cols].sum = (double)x->rows;
    return columns;
}

int cli_are_training_rows(const ald_model *model, const ald_dataset *dataset)
{
    const ald_matrix *x = ald_dataset_x(dataset);
    const int64_t rows = rows_to_compare(model, x);
    double *means = rows == x->rows ? means_of(model, x, rows) : NULL;
    column *columns = means ? new_columns(x) : NULL;
    const int same = columns && are_same(columns, 1, x->cols, means, rows);
    free(columns);
    free(means);
    return same;
}

int cli_gather_training(cli_session *session, const ald_model *model, const ald_dataset *dataset,
                        int *training)
{
    const ald_matrix *x = ald_dataset_x(dataset);
    const int64_t rows = rows_to_compare(model, x);
    double *means = rows > 0 ? means_of(model, x, rows) : NULL;
    unsigned char *all;
    *training = 0;
    if (!means) return CLI_DONE; /* on all ranks alike */
    column *own = new_columns(x);
    const int code = cli_gather(session, own ? ALD_OK : ALD_ERROR_MEMORY, own,
                                (size_t)(x->cols + 1) * sizeof *own, &all, NULL);
    if (all)
        *training =
            are_same((const column *)(void *)all, ald_ranks_size(session->ranks.all), x->cols, means, rows);
    free(own);
    free(means);
    ald_bytes_free(session->context, all);
    return code;
}
