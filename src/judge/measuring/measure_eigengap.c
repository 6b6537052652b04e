/* ald_model_eigengap: with l_1, l_2, ... the moduli of the eigenvalues in the order of the directions, the k
 * with the largest |l_k - l_{k+1}|, and with the largest l_k / l_{k+1} (the inverse where they rise). */
#include "judge/measuring/directions.h"

#include "base/settings/options.h"

#include <alidade/dimension.h>
#include <math.h>
#include <string.h>

void ald_gap_after(int64_t n, const double *values, int64_t k, double *gap, double *ratio)
{
    double first = 0.0;
    for (int64_t i = 0; i < n; i++) first = fmax(first, fabs(values[i]));
    const double a = fmax(fabs(values[k]), 1e-12 * first), b = fmax(fabs(values[k + 1]), 1e-12 * first);
    *gap = fabs(fabs(values[k]) - fabs(values[k + 1]));
    *ratio = first > 0.0 ? fmax(a, b) / fmin(a, b) : 1.0;
}

const double *ald_model_spectrum(const ald_model *model, int64_t *count)
{
    static const char *const names[] = {"spectrum", "eigenvalues"};
    ald_array array;
    for (int i = 0; i < 2; i++)
        if (ald_model_array(model, names[i], &array) && array.type == ALD_ARRAY_F64 && array.dims == 1) {
            *count = array.shape[0];
            return array.data;
        }
    return NULL;
}

int ald_model_eigengap(const ald_model *model, ald_eigengap_result *result)
{
    ald_eigengap_result found = {0};
    if (!model || !result || ALD_OPTIONS_CHECK(NULL, ald_eigengap_result, result) < 0) return 0;
    const double *values = ald_model_spectrum(model, &found.count);
    if (!values) return 0;
    for (int64_t k = 0; k + 1 < found.count; k++) {
        double gap, ratio;
        ald_gap_after(found.count, values, k, &gap, &ratio);
        if (gap > found.gap) {
            found.gap = gap;
            found.by_gap = k + 1;
        }
        if (ratio > found.ratio) {
            found.ratio = ratio;
            found.by_ratio = k + 1;
        }
    }
    ALD_OPTIONS_WRITE(ald_eigengap_result, &found, result);
    return 1;
}
