#include "math/linalg/view.h"

ald_status ald_wrong_shapes(ald_run *run, const char *operation, ald_view a, ald_view b, ald_area out)
{
    if (!out.data)
        return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                        "%s: %lld x %lld (rows %lld apart) does not fit %lld x %lld", operation,
                        (long long)a.rows, (long long)a.cols, (long long)a.stride, (long long)b.rows,
                        (long long)b.cols);
    return ald_fail(run->error, ALD_ERROR_ARGUMENT,
                    "%s: %lld x %lld and %lld x %lld do not fit the result %lld x %lld", operation,
                    (long long)a.rows, (long long)a.cols, (long long)b.rows, (long long)b.cols,
                    (long long)out.rows, (long long)out.cols);
}
