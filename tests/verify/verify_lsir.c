#include "verify/shared/manifold_check.h"
#include "verify/shared/pencil_check.h"

#include <math.h>
#include <stdlib.h>

/* H = P': column i has 1/10 at row i and at its nine nearest in the slice. */
static void verify_lsir(const ald_model *model, const prepared *p)
{
    static double x[n * d], h[n * n];
    plain_rows(p, x);
    for (int i = 0; i < n * n; i++) h[i] = 0.0;
    for (int i = 0; i < n; i++) {
        unsigned char same[n];
        int neighbours[9];
        for (int j = 0; j < n; j++) same[j] = slice_of_row(p, j) == slice_of_row(p, i);
        const int count = nearest_allowed(x, i, 9, same, neighbours);
        h[i * n + i] = 1.0 / (count + 1);
        for (int a = 0; a < count; a++) h[neighbours[a] * n + i] = 1.0 / (count + 1);
    }
    check_pencil(model, p, n, h, sqrt(n));
}

const verifier verifier_lsir = {
    .verify = verify_lsir,
    .variants = {"solver=direct", "solver=dual", "solver=two-stage tol=1e-15 max_iter=100000", NULL},
    .always = "ridge_rel=0",
};
