/* Eigenpairs by SLEPc. This folder is a module of its own, the only place that names PETSc and SLEPc.
 *
 * Krylov-Schur keeps the whole basis divided over the ranks. A Krylov space of one vector holds one copy of a
 * multiple eigenvalue, so afterwards another one is begun beside what was found: a few steps tell whether an
 * eigenvalue above the last of them is missing, and then it is found and takes its place.
 *
 * PETSc catches no signals here, reads no file, no arguments and no options, and prints nothing. */
#include "base/ranks/eigen_module.h"

#include <float.h>
#include <math.h>
#include <slepceps.h>
#include <stdio.h>
#include <string.h>

#if defined(PETSC_USE_COMPLEX) || !defined(PETSC_USE_64BIT_INDICES) || !defined(PETSC_USE_REAL_DOUBLE)
#error "PETSc must have real scalars of double precision and 64-bit indices"
#endif

enum { confirming_steps = 24 };

typedef struct solving {
    ald_eigen_task *task;
    Mat held; /* NULL: by products */
    Mat a;    /* counts the products, and asks */
    Vec *vectors;
    int64_t found;
    double largest; /* Ritz value so far, by which rounding is measured */
    double highest; /* of the last iteration that was watched */
} solving;

static PetscErrorCode say_nothing(FILE *file, const char *format, va_list values)
{
    (void)file;
    (void)format;
    (void)values;
    return 0;
}

static PetscErrorCode say_no_error(const char *format, ...)
{
    (void)format;
    return 0;
}

/* Keeps the first message. */
static PetscErrorCode keep_message(MPI_Comm comm, int line, const char *function, const char *file,
                                   PetscErrorCode code, PetscErrorType type, const char *message, void *task)
{
    ald_eigen_task *t = task;
    (void)comm;
    (void)line;
    (void)file;
    (void)type;
    if (!t->trouble[0])
        snprintf(t->trouble, sizeof t->trouble, "%s in %s", message && *message ? message : "an error",
                 function ? function : "SLEPc");
    return code;
}

static PetscErrorCode multiply_by_caller(const solving *s, Vec x, Vec y)
{
    const PetscScalar *v;
    PetscScalar *w;
    PetscCall(VecGetArrayRead(x, &v));
    PetscCall(VecGetArrayWrite(y, &w));
    const int stopped = s->task->multiply(s->task->self, v, w);
    PetscCall(VecRestoreArrayWrite(y, &w));
    PetscCall(VecRestoreArrayRead(x, &v));
    PetscCheck(!stopped, PETSC_COMM_SELF, PETSC_ERR_USER, "a product was given up");
    return 0;
}

static PetscErrorCode multiply(Mat a, Vec x, Vec y)
{
    solving *s;
    PetscCall(MatShellGetContext(a, &s));
    s->task->products++;
    if (s->held)
        PetscCall(MatMult(s->held, x, y));
    else
        PetscCall(multiply_by_caller(s, x, y));
    if (!s->task->ask) return 0;
    PetscCheck(!s->task->ask(s->task->self, s->task->products), PETSC_COMM_SELF, PETSC_ERR_USER, "stopped");
    return 0;
}

/* The residual as a part of what it must come down to times tol: that of the value, or of rounding. */
static PetscErrorCode measure(EPS eps, PetscScalar value, PetscScalar imaginary, PetscReal residual,
                              PetscReal *estimate, void *self)
{
    solving *s = self;
    const double rounding = 8.0 * DBL_EPSILON * sqrt((double)s->task->order);
    (void)eps;
    (void)imaginary;
    s->largest = fmax(s->largest, fabs(value));
    const double bound = fmax(fabs(value), rounding * s->largest / s->task->tol);
    *estimate = bound > 0.0 ? residual / bound : 0.0;
    return 0;
}

static PetscErrorCode watch(EPS eps, PetscInt step, PetscInt converged, PetscScalar *values,
                            PetscScalar *imaginary, PetscReal *estimates, PetscInt count, void *self)
{
    solving *s = self;
    (void)eps;
    (void)step;
    (void)converged;
    (void)imaginary;
    (void)estimates;
    for (PetscInt i = 0; i < count; i++) s->highest = fmax(s->highest, values[i]);
    return 0;
}

static PetscErrorCode make_matrix(solving *s)
{
    const ald_eigen_task *t = s->task;
    const MPI_Comm world = PETSC_COMM_WORLD;
    if (t->columns)
        PetscCall(MatCreateDense(world, t->count, t->count, t->order, t->order, t->columns, &s->held));
    PetscCall(MatCreateShell(world, t->count, t->count, t->order, t->order, s, &s->a));
    return MatShellSetOperation(s->a, MATOP_MULT, (void (*)(void))multiply);
}

static PetscErrorCode make_vectors(solving *s)
{
    Vec like;
    PetscCall(MatCreateVecs(s->a, &like, NULL));
    PetscCall(VecDuplicateVecs(like, s->task->wanted, &s->vectors));
    return VecDestroy(&like);
}

static PetscErrorCode set_start(const solving *s, EPS eps, int which)
{
    const ald_eigen_task *t = s->task;
    Vec start;
    PetscScalar *values;
    PetscCall(MatCreateVecs(s->a, &start, NULL));
    PetscCall(VecGetArrayWrite(start, &values));
    memcpy(values, t->start + which * t->count, (size_t)t->count * sizeof *values);
    PetscCall(VecRestoreArrayWrite(start, &values));
    PetscCall(EPSSetInitialSpace(eps, 1, &start));
    return VecDestroy(&start);
}

/* An unsolved problem for so many pairs beside those that were found. */
static PetscErrorCode make_problem(solving *s, PetscInt pairs, PetscInt basis, EPS *eps)
{
    PetscCall(EPSCreate(PETSC_COMM_WORLD, eps));
    PetscCall(EPSSetOperators(*eps, s->a, NULL));
    PetscCall(EPSSetProblemType(*eps, EPS_HEP));
    PetscCall(EPSSetType(*eps, EPSKRYLOVSCHUR));
    PetscCall(EPSSetWhichEigenpairs(*eps, EPS_LARGEST_REAL));
    PetscCall(EPSSetDimensions(*eps, pairs, basis, PETSC_DEFAULT));
    PetscCall(EPSSetConvergenceTestFunction(*eps, measure, s, NULL));
    PetscCall(EPSMonitorSet(*eps, watch, s, NULL));
    if (s->found > 0) PetscCall(EPSSetDeflationSpace(*eps, s->found, s->vectors));
    return set_start(s, *eps, s->found > 0);
}

/* Restarts keep about half of the basis. */
static PetscErrorCode set_limits(const solving *s, EPS eps, PetscInt basis)
{
    const int64_t left = s->task->max_products - s->task->products, half = basis / 2 > 0 ? basis / 2 : 1;
    return EPSSetTolerances(eps, s->task->tol, left > half ? left / half : 1);
}

/* Puts a pair in its place among those that were found; of too many the last goes. */
static PetscErrorCode insert(solving *s, double value, Vec vector)
{
    ald_eigen_task *t = s->task;
    const int64_t last = s->found < t->wanted ? s->found++ : t->wanted - 1;
    const Vec room = s->vectors[last];
    int64_t at = last;
    for (; at > 0 && t->values[at - 1] < value; at--) {
        t->values[at] = t->values[at - 1];
        s->vectors[at] = s->vectors[at - 1];
    }
    t->values[at] = value;
    s->vectors[at] = room;
    return VecCopy(vector, room);
}

static PetscErrorCode take_pairs(solving *s, EPS eps, PetscInt most)
{
    PetscInt count;
    PetscScalar value, imaginary;
    PetscReal estimate;
    Vec vector;
    PetscCall(EPSGetConverged(eps, &count));
    PetscCall(MatCreateVecs(s->a, &vector, NULL));
    for (PetscInt i = 0; i < count && i < most; i++) {
        PetscCall(EPSGetEigenpair(eps, i, &value, &imaginary, vector, NULL));
        PetscCall(EPSGetErrorEstimate(eps, i, &estimate));
        if (s->largest > 0.0)
            s->task->residual = fmax(s->task->residual, estimate * fabs(value) / s->largest);
        PetscCall(insert(s, value, vector));
    }
    return VecDestroy(&vector);
}

static PetscErrorCode find_pairs(solving *s)
{
    EPS eps;
    PetscCall(make_problem(s, s->task->wanted, s->task->basis, &eps));
    PetscCall(set_limits(s, eps, s->task->basis));
    PetscCall(EPSSolve(eps));
    PetscCall(take_pairs(s, eps, s->task->wanted));
    return EPSDestroy(&eps);
}

/* What a value must be above to be one that is missing. */
static double ceiling_of(const solving *s)
{
    const double last = s->task->values[s->task->wanted - 1];
    return last + fmax(1e-8 * fabs(last), 1e-13 * s->largest);
}

/* Whether the rest of the space has a value above; then the pair is found and inserted. */
static PetscErrorCode look_beside(solving *s, int *inserted)
{
    const double ceiling = ceiling_of(s);
    EPS eps;
    *inserted = 0;
    s->highest = -INFINITY;
    PetscCall(make_problem(s, 1, confirming_steps, &eps));
    PetscCall(EPSSetTolerances(eps, s->task->tol, 1));
    PetscCall(EPSSolve(eps));
    if (s->highest > ceiling) {
        PetscCall(set_limits(s, eps, confirming_steps));
        PetscCall(EPSSolve(eps));
        PetscCall(take_pairs(s, eps, 1));
        *inserted = s->task->values[s->task->wanted - 1] > ceiling || s->highest > ceiling;
    }
    return EPSDestroy(&eps);
}

static PetscErrorCode confirm(solving *s)
{
    const ald_eigen_task *t = s->task;
    int inserted = t->order - t->wanted > 2 * confirming_steps;
    for (int64_t i = 0; i < t->order && inserted && t->products < t->max_products; i++)
        PetscCall(look_beside(s, &inserted));
    return 0;
}

static PetscErrorCode give_vectors(const solving *s)
{
    const ald_eigen_task *t = s->task;
    for (int64_t k = 0; k < s->found; k++) {
        const PetscScalar *v;
        PetscCall(VecGetArrayRead(s->vectors[k], &v));
        for (int64_t i = 0; i < t->count; i++) t->vectors[i * t->wanted + k] = v[i];
        PetscCall(VecRestoreArrayRead(s->vectors[k], &v));
    }
    return 0;
}

static PetscErrorCode solve_with(solving *s)
{
    PetscCall(make_matrix(s));
    PetscCall(make_vectors(s));
    PetscCall(find_pairs(s));
    if (s->found == s->task->wanted) PetscCall(confirm(s));
    s->task->found = s->found;
    return give_vectors(s);
}

static PetscErrorCode free_all(solving *s)
{
    PetscCall(VecDestroyVecs(s->task->wanted, &s->vectors));
    PetscCall(MatDestroy(&s->a));
    return MatDestroy(&s->held);
}

/* After a failure the ranks end: what PETSc holds goes with the process. */
static int solve(ald_eigen_task *task)
{
    solving s = {.task = task};
    task->trouble[0] = 0;
    task->products = task->found = 0;
    task->residual = 0.0;
    if (PetscPushErrorHandler(keep_message, task)) return 1;
    PetscErrorCode code = solve_with(&s);
    if (!code) code = free_all(&s);
    (void)PetscPopErrorHandler();
    return code != 0;
}

/* Vectors: the basis, or in the confirmation its smaller one beside what was found and, while it is made
 * larger for that, as it was; the pairs that were found; and a few to work with. Numbers beside them: of the
 * projected problem, and one vector that the ranks put together for a product with columns. */
static int64_t most_bytes(const ald_eigen_task *t)
{
    const int64_t solving = t->basis + 1, confirming = t->wanted + 2 * (confirming_steps + 1), few = 4;
    const int64_t vectors = (solving > confirming ? solving : confirming) + t->wanted + few;
    const int64_t beside = 3 * t->basis * t->basis + (t->columns ? t->order : 0);
    return (int64_t)sizeof(PetscScalar) * (vectors * t->count + beside);
}

static void end(void)
{
    (void)SlepcFinalize();
}

static const ald_eigen_module by_slepc = {.bytes = most_bytes, .solve = solve, .end = end};

const char *ald_slepc_start(void *world, const ald_eigen_module **made);

__attribute__((visibility("default"))) const char *ald_slepc_start(void *world, const ald_eigen_module **made)
{
    static char name[] = "alidade", no_file[] = "-skip_petscrc", no_signals[] = "-no_signal_handler";
    static char *words[] = {name, no_file, no_signals, NULL};
    int count = 3;
    char **given = words;
    PetscVFPrintf = say_nothing;
    PetscErrorPrintf = say_no_error;
    PETSC_COMM_WORLD = *(MPI_Comm *)world;
    if (SlepcInitialize(&count, &given, NULL, NULL)) return "SlepcInitialize failed";
    if (PetscOptionsClear(NULL)) return "PetscOptionsClear failed"; /* those of the environment */
    *made = &by_slepc;
    return NULL;
}
