#include "evaluate/metrics.h"

#include <math.h>

static double residual_squares(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        const double error = truth[i * q + j] - prediction[i * q + j];
        sum += error * error;
    }
    return sum;
}

double ald_metric_rmse(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction)
{
    return sqrt(residual_squares(n, q, j, truth, prediction) / (double)n);
}

double ald_metric_r2(int64_t n, int64_t q, int64_t j, const double *truth, const double *prediction)
{
    double mean = 0.0, total = 0.0;
    for (int64_t i = 0; i < n; i++) mean += truth[i * q + j];
    mean /= (double)n;
    for (int64_t i = 0; i < n; i++) total += (truth[i * q + j] - mean) * (truth[i * q + j] - mean);
    return total > 0.0 ? 1.0 - residual_squares(n, q, j, truth, prediction) / total : NAN;
}
