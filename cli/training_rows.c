#include "training_rows.h"

#include "option_table.h"

#include <math.h>
#include <string.h>

/* The mean of a column of dense X, and the size of its entries. */
static double mean_of(const ald_matrix *x, int64_t column, double *size)
{
    const double *values = x->values;
    double sum = 0.0;
    *size = 0.0;
    for (int64_t i = 0; i < x->rows; i++) {
        const double value = values[i * x->row_stride + column * x->col_stride];
        sum += value;
        *size = fmax(*size, fabs(value));
    }
    return sum / (double)x->rows;
}

int cli_are_training_rows(const ald_model *model, const ald_dataset *dataset)
{
    const ald_matrix *x = ald_dataset_x(dataset);
    const char *rows = ald_model_text(model, "alidade.n_samples"),
               *row_scale = ald_model_text(model, "alidade.param.row_scale");
    int64_t count = 0;
    ald_array mean;
    if (x->storage != ALD_DENSE || x->type != ALD_F64 || !rows || !cli_read_int(rows, &count) ||
        count != x->rows || (row_scale && strcmp(row_scale, "none") != 0) ||
        !ald_model_array(model, "mean", &mean) || mean.dims != 1 || mean.shape[0] != x->cols)
        return 0;
    for (int64_t j = 0; j < x->cols; j++) {
        double size;
        const double apart = mean_of(x, j, &size) - ((const double *)mean.data)[j];
        if (!(fabs(apart) <= 1e-10 * size)) return 0;
    }
    return 1;
}
