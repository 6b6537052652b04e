/* The steps of a recipe as nodes of ONNX, opset 13, on double: only operators whose kernels for double ONNX
 * Runtime has. Sums are in the order of its kernels, so that results agree to rounding. Rows that are
 * compared by differences (centroids, neighbours, laplacian) take N x rows x columns numbers for a moment. */
#include "math/linalg/view.h"
#include "show/export/write_onnx.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NODE(op, ...) node_of(b, op, (ald_value[3]){__VA_ARGS__})

static ald_value node_of(ald_graph_builder *b, const char *op, const ald_value values[3])
{
    return ald_onnx_node(b, op, values[0], values[1], values[2]);
}

/* A step at work. */
typedef struct making {
    ald_graph_builder *b;
    const ald_export_step *step, *before;
    ald_value first; /* what the first of the steps was given */
    ald_value x;
} making;

static ald_value table(const making *m, int t)
{
    const ald_step_table *from = &m->step->table[t];
    return ald_onnx_reals(m->b, from->data, from->rows, from->cols);
}

/* The first table, turned. */
static ald_value table_turned(const making *m)
{
    const ald_step_table *from = &m->step->table[0];
    double *turned;
    const ald_status status = ald_scratch_reals(m->b->run, from->cols, from->rows, &turned);
    if (m->b->graph.status >= 0) m->b->graph.status = status;
    if (status < 0) return "";
    ald_transpose(from->rows, from->cols, from->data, turned);
    return ald_onnx_reals(m->b, turned, from->cols, from->rows);
}

/* N x 1: the sum of squares of each row. */
static ald_value square_lengths(ald_graph_builder *b, ald_value x)
{
    return ald_onnx_reduce(b, "ReduceSumSquare", x, 1, 1);
}

/* x where the condition holds, else a number. */
static ald_value where_else(ald_graph_builder *b, ald_value condition, ald_value x, double otherwise)
{
    return NODE("Where", condition, x, ald_onnx_real(b, otherwise));
}

static ald_value snv(const making *m)
{
    ald_graph_builder *b = m->b;
    const ald_value centred = NODE("Sub", m->x, ald_onnx_reduce(b, "ReduceMean", m->x, 1, 1));
    const double divisor = m->step->in > 1 ? (double)(m->step->in - 1) : 1.0;
    const ald_value deviation =
        NODE("Sqrt", NODE("Div", square_lengths(b, centred), ald_onnx_real(b, divisor)));
    const ald_value largest = ald_onnx_reduce(b, "ReduceMax", NODE("Abs", m->x), 1, 1);
    const ald_value varies =
        NODE("Greater", deviation, NODE("Mul", largest, ald_onnx_real(b, 8.0 * DBL_EPSILON)));
    return where_else(b, varies, NODE("Div", centred, where_else(b, varies, deviation, 1.0)), 0.0);
}

static ald_value msc(const making *m)
{
    ald_graph_builder *b = m->b;
    const int64_t d = m->step->in;
    const double *r = m->step->table[0].data;
    double centre = 0.0, square = 0.0;
    double *centred;
    const ald_status status = ald_scratch_reals(b->run, d, 1, &centred);
    if (b->graph.status >= 0) b->graph.status = status;
    if (status < 0) return "";
    for (int64_t j = 0; j < d; j++) centre += r[j];
    centre /= (double)d;
    for (int64_t j = 0; j < d; j++) {
        centred[j] = r[j] - centre;
        square += centred[j] * centred[j];
    }
    const ald_value mean = ald_onnx_reduce(b, "ReduceMean", m->x, 1, 1), own = NODE("Sub", m->x, mean),
                    cross = NODE("MatMul", own, ald_onnx_reals(b, centred, d, 1));
    const ald_value size = NODE("Sqrt", NODE("Mul", square_lengths(b, own), ald_onnx_real(b, square)));
    const ald_value along =
        NODE("Greater", NODE("Abs", cross), NODE("Mul", size, ald_onnx_real(b, 8.0 * DBL_EPSILON)));
    const ald_value slope = NODE("Div", cross, ald_onnx_real(b, square));
    const ald_value used = where_else(b, along, slope, 0.0);
    const ald_value offset = NODE("Sub", mean, NODE("Mul", used, ald_onnx_real(b, centre)));
    return NODE("Div", NODE("Sub", m->x, offset), where_else(b, along, slope, 1.0));
}

static ald_value detrend(const making *m)
{
    ald_graph_builder *b = m->b;
    const ald_value along = NODE("MatMul", m->x, table_turned(m));
    const ald_step_table *p = &m->step->table[0];
    return NODE("Sub", m->x, NODE("MatMul", along, ald_onnx_reals(b, p->data, p->rows, p->cols)));
}

/* The filter as a d x d matrix. */
static ald_value savgol(const making *m)
{
    ald_graph_builder *b = m->b;
    const int64_t d = m->step->in, w = m->step->table[0].rows;
    const double *h = m->step->table[0].data;
    double *whole;
    const ald_status status = ald_scratch_zeros(b->run, d, d, &whole);
    if (b->graph.status >= 0) b->graph.status = status;
    if (status < 0) return "";
    for (int64_t j = 0; j < d; j++) {
        int64_t first = j - w / 2;
        if (first < 0) first = 0;
        if (first > d - w) first = d - w;
        for (int64_t i = 0; i < w; i++) whole[(first + i) * d + j] = h[(j - first) * w + i];
    }
    return NODE("MatMul", m->x, ald_onnx_reals(b, whole, d, d));
}

static ald_value row_scale(const making *m)
{
    ald_graph_builder *b = m->b;
    const int standard = m->step->number[0].value > 0.0;
    const ald_value x = standard ? NODE("Sub", m->x, ald_onnx_reduce(b, "ReduceMean", m->x, 1, 1)) : m->x;
    ald_value square = square_lengths(b, x);
    if (standard) square = NODE("Div", square, ald_onnx_real(b, (double)m->step->in));
    const ald_value size = NODE("Sqrt", square), finite = NODE("Sub", size, size), /* else NaN */
        used = where_else(b, NODE("Greater", size, ald_onnx_real(b, 0.0)), size, 1.0);
    return NODE("Div", x, NODE("Add", used, finite));
}

/* The scale of a single column is a matrix: ONNX Runtime makes one number beside a MatMul an attribute of it,
 * in single precision. */
static ald_value columns(const making *m)
{
    ald_graph_builder *b = m->b;
    const ald_step_table *inverse = &m->step->table[1];
    ald_value x = m->x;
    if (m->step->table[0].data) x = NODE("Sub", x, table(m, 0));
    if (!inverse->data) return x;
    if (inverse->rows == 1) return NODE("MatMul", x, ald_onnx_reals(b, inverse->data, 1, 1));
    return NODE("Mul", x, table(m, 1));
}

static ald_value product(const making *m)
{
    ald_graph_builder *b = m->b;
    const ald_step_table *c = &m->step->table[2];
    return NODE("MatMul", columns(m), ald_onnx_reals(b, c->data, c->rows, c->cols));
}

/* N x m x d: each row less each row of a table. */
static ald_value differences(const making *m, ald_value x, const ald_step_table *rows)
{
    ald_graph_builder *b = m->b;
    const int64_t axis = 1;
    return NODE("Sub", NODE("Unsqueeze", x, ald_onnx_ints(b, &axis, 1)),
                ald_onnx_reals(b, rows->data, rows->rows, rows->cols));
}

/* N x m: squares of the distances by products; squares of lengths of the landmarks are known. */
static ald_value kernel(const making *m)
{
    ald_graph_builder *b = m->b;
    const ald_kernel *k = &m->step->kernel;
    const ald_value zero = ald_onnx_real(b, 0.0);
    if (k->kind == ALD_KERNEL_LAPLACIAN) {
        const ald_value apart = NODE("Abs", differences(m, m->x, &m->step->table[0]));
        return NODE("Exp",
                    NODE("Div", ald_onnx_reduce(b, "ReduceSum", apart, 2, 0), ald_onnx_real(b, -k->width)));
    }
    const ald_value products = NODE("MatMul", m->x, table_turned(m));
    if (k->kind == ALD_KERNEL_LINEAR) return products;
    if (k->kind == ALD_KERNEL_POLYNOMIAL)
        return NODE("Pow", NODE("Add", products, ald_onnx_real(b, k->coef0)),
                    ald_onnx_real(b, (double)k->degree));
    const ald_value own = square_lengths(b, m->x), others = table(m, 1);
    if (k->kind == ALD_KERNEL_RBF) {
        const ald_value sum = NODE("Add", own, others),
                        square = NODE("Sub", sum, NODE("Mul", products, ald_onnx_real(b, 2.0)));
        return NODE("Exp",
                    NODE("Mul", NODE("Max", square, zero), ald_onnx_real(b, -0.5 / k->width / k->width)));
    }
    const ald_value both = NODE("Mul", NODE("Sqrt", own), NODE("Sqrt", others)),
                    some = NODE("Greater", both, zero);
    return where_else(b, some, NODE("Div", products, where_else(b, some, both, 1.0)), 0.0);
}

static ald_value waves(const making *m)
{
    ald_graph_builder *b = m->b;
    const ald_value turned = NODE("Add", NODE("MatMul", m->x, table_turned(m)), table(m, 1));
    return NODE("Mul", NODE("Cos", turned), ald_onnx_real(b, sqrt(2.0 / (double)m->step->out)));
}

static ald_value affine(const making *m)
{
    ald_graph_builder *b = m->b;
    const ald_step_table *c = &m->step->table[0];
    return NODE("Add", NODE("MatMul", m->x, ald_onnx_reals(b, c->data, c->rows, c->cols)), table(m, 1));
}

/* The differences between the classes near the best one and that one. */
static ald_value compare(const making *m)
{
    ald_graph_builder *b = m->b;
    const int64_t r = m->before->in, q = m->before->out, one = 1;
    const ald_step_table *c = &m->before->table[0];
    double *turned;
    const ald_status status = ald_scratch_reals(b->run, q, r, &turned);
    if (b->graph.status >= 0) b->graph.status = status;
    if (status < 0) return "";
    ald_transpose(r, q, c->data, turned);
    const ald_value by_class = ald_onnx_reals(b, turned, q, r),
                    intercept = ald_onnx_reals(b, m->before->table[1].data, q, 0),
                    axis = ald_onnx_ints(b, &one, 1);
    const ald_value best = ald_onnx_node_int(b, "ArgMax", m->x, NULL, "axis", 1); /* N x 1 */
    const ald_value below = NODE("Sub", m->x, ald_onnx_reduce(b, "ReduceMax", m->x, 1, 1));
    const ald_value apart = NODE("Sub", by_class, NODE("Gather", by_class, best)); /* N x q x r */
    const ald_value along =
        ald_onnx_reduce(b, "ReduceSum", NODE("Mul", apart, NODE("Unsqueeze", m->first, axis)), 2, 0);
    const ald_value exact = NODE("Add", NODE("Sub", intercept, NODE("Gather", intercept, best)), along);
    return NODE("Where", NODE("Less", below, ald_onnx_real(b, -100.0)), below, exact);
}

static ald_value centroid(const making *m)
{
    ald_graph_builder *b = m->b;
    const ald_value apart = differences(m, m->x, &m->step->table[0]);
    return NODE("Neg", ald_onnx_reduce(b, "ReduceSumSquare", apart, 2, 0));
}

/* The targets as n x q numbers. */
static ald_value targets(const making *m)
{
    const ald_step_table *from = &m->step->table[1];
    const int64_t n = from->rows, q = m->step->out;
    double *numbers;
    if (m->step->number[1].value == 0.0) return ald_onnx_reals(m->b, from->data, n, q);
    const ald_status status = ald_scratch_zeros(m->b->run, n, q, &numbers);
    if (m->b->graph.status >= 0) m->b->graph.status = status;
    if (status < 0) return "";
    for (int64_t i = 0; i < n; i++) numbers[i * q + (int64_t)from->data[i]] = 1.0;
    return ald_onnx_reals(m->b, numbers, n, q);
}

static ald_value neighbours(const making *m)
{
    ald_graph_builder *b = m->b;
    const ald_step_table *weights = &m->step->table[2];
    const double k = m->step->number[0].value;
    const ald_value squares =
        ald_onnx_reduce(b, "ReduceSumSquare", differences(m, m->x, &m->step->table[0]), 2, 0);
    const ald_value near = ald_onnx_smallest(b, squares, (int64_t)k);
    ald_value known = NODE("Gather", targets(m), near); /* N x k x q */
    if (!weights->data) return NODE("Div", ald_onnx_reduce(b, "ReduceSum", known, 1, 0), ald_onnx_real(b, k));
    const ald_value w = NODE("Gather", ald_onnx_reals(b, weights->data, weights->rows, 1), near);
    known = NODE("Mul", known, w);
    return NODE("Div", ald_onnx_reduce(b, "ReduceSum", known, 1, 0),
                ald_onnx_reduce(b, "ReduceSum", w, 1, 0));
}

static ald_value softmax(const making *m)
{
    return ald_onnx_node_int(m->b, "Softmax", m->x, NULL, "axis", 1);
}

static ald_value logit(const making *m)
{
    return ald_onnx_node(m->b, "Sigmoid", m->x, NULL, NULL);
}

/* One function a kind. */
static ald_value make_step(const making *m)
{
    static ald_value (*const make[])(const making *) = {
        [ALD_STEP_SNV] = snv,
        [ALD_STEP_MSC] = msc,
        [ALD_STEP_DETREND] = detrend,
        [ALD_STEP_SAVGOL] = savgol,
        [ALD_STEP_ROW_SCALE] = row_scale,
        [ALD_STEP_COLUMNS] = columns,
        [ALD_STEP_COMPARE] = compare,
        [ALD_STEP_LINEAR] = product,
        [ALD_STEP_KERNEL] = kernel,
        [ALD_STEP_WAVES] = waves,
        [ALD_STEP_AFFINE] = affine,
        [ALD_STEP_CENTROID] = centroid,
        [ALD_STEP_NEIGHBOURS] = neighbours,
        [ALD_STEP_SOFTMAX] = softmax,
        [ALD_STEP_LOGIT] = logit,
    };
    return make[m->step->kind](m);
}

ald_status ald_onnx_steps(ald_graph_builder *b, const ald_model_recipe *recipe, int first, int end,
                          ald_value x, ald_value *y)
{
    *y = x;
    for (int k = first; k < end; k++) {
        const ald_export_step *step = &recipe->step[k];
        const making m = {b, step, k > 0 ? step - 1 : NULL, x, *y};
        *y = make_step(&m);
    }
    return b->graph.status;
}
