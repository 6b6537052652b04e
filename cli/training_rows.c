/* Whether rows are those that a model was fitted on. */
#include "cli.h"

#include "option_table.h"
#include "ranks/gather_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sum of a column of dense X, and the size of its entries. */
static double sum_of(const ald_matrix *x, int64_t column, double *size)
{
    const double *values = x->values;
    double sum = 0.0;
    *size = 0.0;
    for (int64_t i = 0; i < x->rows; i++) {
        const double value = values[i * x->row_stride + column * x->col_stride];
        sum += value;
        *size = fmax(*size, fabs(value));
    }
    return sum;
}

/* The means of the model, where it has them, and how many rows it was fitted on. */
static const double *means_of(const ald_model *model, const ald_matrix *x, int64_t *rows)
{
    const char *text = ald_model_text(model, "alidade.n_samples"),
               *row_scale = ald_model_text(model, "alidade.param.row_scale");
    ald_array mean;
    if (x->storage != ALD_DENSE || x->type != ALD_F64 || !text || !cli_read_int(text, rows) ||
        (row_scale && strcmp(row_scale, "none") != 0) || !ald_model_array(model, "mean", &mean) ||
        mean.dims != 1 || mean.shape[0] != x->cols)
        return NULL;
    return mean.data;
}

static int is_same(double sum, int64_t rows, double mean, double size)
{
    return fabs(sum / (double)rows - mean) <= 1e-10 * size;
}

int cli_are_training_rows(const ald_model *model, const ald_dataset *dataset)
{
    const ald_matrix *x = ald_dataset_x(dataset);
    int64_t count = 0;
    const double *means = means_of(model, x, &count);
    if (!means || count != x->rows) return 0;
    for (int64_t j = 0; j < x->cols; j++) {
        double size;
        const double sum = sum_of(x, j, &size);
        if (!is_same(sum, count, means[j], size)) return 0;
    }
    return 1;
}

/* What ranks have gathered: of each the number of its rows, then of each column its sum and its size. */
static int are_same(const double *all, int ranks, int64_t cols, const double *means, int64_t count)
{
    const int64_t each = 1 + 2 * cols;
    double rows = 0.0;
    for (int r = 0; r < ranks; r++) rows += all[r * each];
    if (rows < (double)count || rows > (double)count) return 0;
    for (int64_t j = 0; j < cols; j++) {
        double sum = 0.0, size = 0.0;
        for (int r = 0; r < ranks; r++) {
            sum += all[r * each + 1 + 2 * j];
            size = fmax(size, all[r * each + 2 + 2 * j]);
        }
        if (!is_same(sum, count, means[j], size)) return 0;
    }
    return 1;
}

int cli_gather_training(cli_session *session, const ald_model *model, const ald_dataset *dataset,
                        int *training)
{
    const ald_matrix *x = ald_dataset_x(dataset);
    int64_t count = 0;
    const double *means = means_of(model, x, &count);
    unsigned char *all;
    *training = 0;
    if (!means) return CLI_DONE; /* on all ranks alike */
    double *own = calloc((size_t)(1 + 2 * x->cols), sizeof *own);
    if (!own) return cli_out_of_memory(session);
    own[0] = (double)x->rows;
    for (int64_t j = 0; j < x->cols; j++) own[1 + 2 * j] = sum_of(x, j, &own[2 + 2 * j]);
    const int code = cli_gather(session, ALD_OK, own, (size_t)(1 + 2 * x->cols) * sizeof *own, &all, NULL);
    free(own);
    if (all)
        *training =
            are_same((const double *)(void *)all, ald_ranks_size(session->ranks.all), x->cols, means, count);
    ald_bytes_free(session->context, all);
    return code;
}
