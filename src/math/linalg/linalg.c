/* Dense algebra for matrices of any size: however long an operation takes, the caller is asked every tenth
 * of a second or so whether it is still wanted.
 *
 * Decompositions cannot be cut up: those that take more operations than the context has patience for run
 * aside (threads/aside.h). Products and solutions are cut into panels of the result, with a question between
 * two of them; how they are cut depends on the sizes alone. Operations, where LAPACK reads A once per step:
 *
 *   eigen       (4/3 n + 4 wanted) n^2        qr         4 m k^2
 *   svd         (8 m n + 8 p^2) p             triangle   2 m k^2
 *   cholesky    n^3 / 3
 *
 * An inner dimension of 0 gives beta times the result, which BLAS would leave as it was. */
#include "math/linalg/linalg.h"

#include "math/device/held.h"

#include "base/threads/aside.h"
#include "math/backend/backend.h"
#include "math/backend/blas_room.h"

#include <string.h>

/* Products run at many times the speed of decompositions: 5e9 operations, the default, take 0.1 s with two
 * threads. A lower bound would cut X'X of 20000 x 500, and every panel of it reads all of X again. */
static const double product_speed = 10.0;
/* The height of a panel is a multiple of this, so that the kernels of the backend see whole tiles. */
enum { tile = 192 };

/* Where the address space is limited another thread may find no room for its buffers. */
enum { threads_with_room = 4 };

static ald_status decompose(ald_run *run, double operations, const ald_aside_task *task)
{
    const double patience = run->context->patience;
    const int is_long = patience > 0.0 && operations > patience;
    ALD_TRY(ald_ask_after(run, operations)); /* many short ones are as long as one */
    if (!is_long || ald_blas_threads(threads_with_room) < threads_with_room) return ald_here(run, task);
    return ald_aside(run, task);
}

/* The square matrix `a` stands without gaps. */
static ald_status square_fits(ald_run *run, const char *operation, ald_area a, ald_view other)
{
    return ald_shapes_fit(run, a.rows == a.cols && ald_is_whole(a), operation, ald_read(a), other,
                          ald_at(NULL, 0, 0));
}

static ald_status eigen(ald_run *run, const int64_t *sizes, double *const *arrays)
{
    return ald_backend_of(run)->eigen(run, sizes[0], arrays[0], sizes[1], arrays[1], arrays[2]);
}

/* By the thread that asks: a card takes tenths of a second for what the processor would do aside. */
static ald_status eigen_on_card(ald_run *run, ald_area a, int64_t wanted, double *values, double *vectors,
                                int *done)
{
    const ald_device *device = ald_card_for_eigen(run, a.rows);
    int failed;
    *done = 0;
    if (!device) return ALD_OK;
    ALD_TRY(ald_card_outcome(
        run, NULL, device->table->eigen(device->card, a.rows, a.data, wanted, values, vectors), &failed));
    *done = !failed;
    return ALD_OK;
}

static ald_status find_eigen(ald_run *run, ald_area a, int64_t wanted, double *values, double *vectors)
{
    const int64_t n = a.rows;
    const ald_aside_task task = {
        .compute = eigen,
        .sizes = {n, wanted},
        .arrays = {{a.data, n * n, 1, 0}, {values, wanted, 0, 1}, {vectors, wanted * n, 0, 1}},
    };
    int done;
    ALD_TRY(eigen_on_card(run, a, wanted, values, vectors, &done));
    if (done) return ALD_OK;
    return decompose(run, (4.0 / 3.0 * (double)n + 4.0 * (double)wanted) * (double)n * (double)n, &task);
}

ald_status ald_eigen(ald_run *run, ald_area a, double *values, ald_area vectors)
{
    ALD_TRY(square_fits(run, "eigenvectors", a, ald_read(vectors)));
    ALD_TRY(ald_shapes_fit(run, vectors.cols == a.rows && vectors.rows <= a.rows && ald_is_whole(vectors),
                           "eigenvectors", ald_read(a), ald_read(vectors), vectors));
    return find_eigen(run, a, vectors.rows, values, vectors.data);
}

ald_status ald_eigenvalues(ald_run *run, ald_area a, int64_t wanted, double *values)
{
    ALD_TRY(square_fits(run, "eigenvalues", a, ald_of(NULL, wanted, a.rows)));
    return find_eigen(run, a, wanted, values, NULL);
}

static ald_status svd(ald_run *run, const int64_t *sizes, double *const *arrays)
{
    return ald_backend_of(run)->svd(run, sizes[0], sizes[1], arrays[0], arrays[1], arrays[2], arrays[3]);
}

ald_status ald_svd(ald_run *run, ald_area a, ald_area u, double *s, ald_area vt)
{
    const int64_t m = a.rows, n = a.cols, p = m < n ? m : n;
    const int fit = u.rows == m && u.cols == p && vt.rows == p && vt.cols == n;
    const ald_aside_task task = {
        .compute = svd,
        .sizes = {m, n},
        .arrays = {{a.data, m * n, 1, 0}, {u.data, m * p, 0, 1}, {s, p, 0, 1}, {vt.data, p * n, 0, 1}},
    };
    ALD_TRY(ald_shapes_fit(run, fit && ald_is_whole(a) && ald_is_whole(u) && ald_is_whole(vt),
                           "singular value decomposition", ald_read(u), ald_read(vt), a));
    return decompose(run, (8.0 * (double)m * (double)n + 8.0 * (double)p * (double)p) * (double)p, &task);
}

static ald_status qr(ald_run *run, const int64_t *sizes, double *const *arrays)
{
    return ald_backend_of(run)->qr(run, sizes[0], sizes[1], arrays[0], arrays[1]);
}

static ald_status triangle(ald_run *run, const int64_t *sizes, double *const *arrays)
{
    return ald_backend_of(run)->triangle(run, sizes[0], sizes[1], arrays[0], arrays[1]);
}

/* Q in the place of a where it is `kept`, and r where it has data. */
static ald_status decompose_qr(ald_run *run, const char *operation, int kept, ald_area a, ald_area r)
{
    const int64_t m = a.rows, k = a.cols;
    const int fit = m >= k && r.rows == k && r.cols == k && ald_is_whole(a) && ald_is_whole(r);
    const ald_aside_task task = {
        .compute = kept ? qr : triangle,
        .sizes = {m, k},
        .arrays = {{a.data, m * k, 1, kept}, {r.data, k * k, 0, 1}},
    };
    ALD_TRY(ald_shapes_fit(run, fit, operation, ald_read(a), ald_read(a), r));
    return decompose(run, (kept ? 4.0 : 2.0) * (double)m * (double)k * (double)k, &task);
}

ald_status ald_qr(ald_run *run, ald_area a, ald_area r)
{
    return decompose_qr(run, "QR decomposition", 1, a, r);
}

ald_status ald_orthonormal(ald_run *run, ald_area a)
{
    return decompose_qr(run, "orthonormal columns", 1, a, ald_at(NULL, a.cols, a.cols));
}

ald_status ald_triangle(ald_run *run, ald_area a, ald_area r)
{
    return decompose_qr(run, "triangle", 0, a, r);
}

static ald_status cholesky(ald_run *run, const int64_t *sizes, double *const *arrays)
{
    return ald_backend_of(run)->cholesky(run, sizes[0], arrays[0]);
}

ald_status ald_cholesky(ald_run *run, ald_area a)
{
    const int64_t n = a.rows;
    const ald_aside_task task = {.compute = cholesky, .sizes = {n}, .arrays = {{a.data, n * n, 1, 1}}};
    ALD_TRY(square_fits(run, "Cholesky decomposition", a, ald_read(a)));
    return decompose(run, (double)n * (double)n * (double)n / 3.0, &task);
}

/* How many of the `length` rows or columns of a result that takes so many operations make a panel. */
static int64_t panel(const ald_run *run, int64_t length, double operations)
{
    const double patience = run->context->patience * product_speed;
    if (!(patience > 0.0) || operations <= patience) return length;
    const int64_t tiles = (int64_t)((double)length * (patience / operations) / tile);
    const int64_t count = (tiles > 0 ? tiles : 1) * tile;
    return count < length ? count : length;
}

static int64_t part(int64_t step, int64_t length, int64_t at)
{
    return step < length - at ? step : length - at;
}

static ald_status before_product(ald_run *run, double operations)
{
    return ald_ask_after(run, operations / product_speed);
}

/* One product of the backend. */
static ald_status multiply(ald_run *run, double alpha, ald_view a, ald_view b, double beta, ald_area out)
{
    return ald_backend_of(run)->gemm(run, a.transposed, b.transposed, out.rows, out.cols, a.cols, alpha,
                                     a.data, a.stride, b.data, b.stride, beta, out.data, out.stride);
}

/* Cut along the longer side of the result. */
ald_status ald_product_add(ald_run *run, double alpha, ald_view a, ald_view b, double beta, ald_area out)
{
    const int64_t m = out.rows, n = out.cols, k = a.cols, length = m >= n ? m : n;
    const double operations = 2.0 * (double)m * (double)n * (double)k;
    ALD_TRY(ald_shapes_fit(run, k == b.rows && m == a.rows && n == b.cols, "product", a, b, out));
    if (k == 0) ald_scale(beta, out);
    if (k == 0 || m == 0 || n == 0) return ALD_OK;
    const int64_t step = panel(run, length, operations);
    ALD_TRY(before_product(run, operations));
    for (int64_t at = 0; at < length; at += step) {
        const int64_t count = part(step, length, at);
        if (at > 0) ALD_TRY(ald_ask_again(run));
        if (m >= n)
            ALD_TRY(multiply(run, alpha, ald_view_block(a, at, 0, count, k), b, beta,
                             ald_area_block(out, at, 0, count, n)));
        else
            ALD_TRY(multiply(run, alpha, a, ald_view_block(b, 0, at, k, count), beta,
                             ald_area_block(out, 0, at, m, count)));
    }
    return ALD_OK;
}

ald_status ald_multiply(ald_run *run, ald_area a, ald_view b)
{
    const uint64_t mark = ald_arena_mark(&run->scratch);
    double *product;
    ALD_TRY(ald_scratch_reals(run, a.rows, a.cols, &product));
    ALD_TRY(ald_product(run, ald_read(a), b, ald_at(product, a.rows, a.cols)));
    for (int64_t i = 0; i < a.rows; i++)
        memcpy(a.data + i * a.stride, product + i * a.cols, (size_t)a.cols * sizeof *product);
    ald_arena_release(&run->scratch, mark);
    return ALD_OK;
}

ald_status ald_products_possible(ald_run *run)
{
    const double one = 1.0;
    double product;
    return ald_product(run, ald_of(&one, 1, 1), ald_of(&one, 1, 1), ald_at(&product, 1, 1));
}

/* A panel of rows of the upper triangle: a small triangle, and to the right of it a product. */
ald_status ald_gram_add(ald_run *run, double alpha, ald_view a, double beta, ald_area out)
{
    const int64_t n = a.cols, k = a.rows;
    const double operations = (double)n * (double)n * (double)k;
    ALD_TRY(ald_shapes_fit(run, out.rows == n && out.cols == n, "Gram matrix", a, a, out));
    if (k == 0) ald_scale(beta, out);
    if (k == 0 || n == 0) return ALD_OK;
    const int64_t step = panel(run, n, operations);
    ALD_TRY(before_product(run, operations));
    for (int64_t at = 0; at < n; at += step) {
        const int64_t count = part(step, n, at), rest = n - at - count;
        const ald_view first = ald_view_block(a, 0, at, k, count);
        if (at > 0) ALD_TRY(ald_ask_again(run));
        ALD_TRY(ald_backend_of(run)->syrk(run, !a.transposed, count, k, alpha, first.data, a.stride, beta,
                                          out.data + at * (out.stride + 1), out.stride));
        if (rest > 0)
            ALD_TRY(multiply(run, alpha, ald_t(first), ald_view_block(a, 0, at + count, k, rest), beta,
                             ald_area_block(out, at, at + count, count, rest)));
    }
    return ALD_OK;
}

ald_status ald_gram(ald_run *run, ald_view a, ald_area out)
{
    ALD_TRY(ald_gram_add(run, 1.0, a, 0.0, out));
    ald_mirror(out);
    return ALD_OK;
}

ald_status ald_product_single(ald_run *run, int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                              float *c)
{
    return ald_backend_of(run)->gemm_single(run, m, n, k, a, b, c);
}

ald_status ald_solve_triangular(ald_run *run, ald_view r, ald_area b)
{
    const int64_t n = b.rows, m = b.cols;
    const int whole = (r.stride == r.cols || r.rows <= 1) && ald_is_whole(b);
    const double operations = (double)n * (double)n * (double)m;
    const int64_t step = panel(run, m, operations);
    ALD_TRY(
        ald_shapes_fit(run, r.rows == r.cols && r.cols == n && whole, "triangular solve", r, ald_read(b), b));
    ALD_TRY(before_product(run, operations));
    for (int64_t at = 0; at < m; at += step) {
        if (at > 0) ALD_TRY(ald_ask_again(run));
        ALD_TRY(ald_backend_of(run)->solve_triangular(run, r.transposed, n, part(step, m, at), r.data,
                                                      b.data + at, m));
    }
    return ALD_OK;
}

ald_status ald_solve_cholesky(ald_run *run, ald_view r, ald_area b)
{
    ALD_TRY(ald_solve_triangular(run, ald_t(r), b));
    return ald_solve_triangular(run, r, b);
}
