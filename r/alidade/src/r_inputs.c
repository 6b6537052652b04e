/* X and targets as R has them: double matrices by column, dgCMatrix, factors, weights. Nothing is copied but
 * the codes of a factor, which R counts from 1. */
#include "glue.h"

#include <stdio.h>

static ald_status refuse_matrix(r_call *call, const char *name)
{
    char message[256];
    snprintf(message, sizeof message, "`%s` is neither a matrix of numbers nor a dgCMatrix", name);
    return r_refuse(call, message);
}

static SEXP slot(SEXP object, const char *name)
{
    SEXP symbol = Rf_install(name);
    return R_has_slot(object, symbol) ? R_do_slot(object, symbol) : R_NilValue;
}

static ald_status take_sparse(r_call *call, SEXP given, const char *name, ald_matrix *matrix)
{
    SEXP size = slot(given, "Dim"), pointers = slot(given, "p"), indices = slot(given, "i"),
         values = slot(given, "x");
    if (TYPEOF(size) != INTSXP || Rf_xlength(size) != 2 || TYPEOF(pointers) != INTSXP ||
        TYPEOF(indices) != INTSXP || TYPEOF(values) != REALSXP || Rf_xlength(indices) != Rf_xlength(values) ||
        Rf_xlength(pointers) < 1)
        return refuse_matrix(call, name);
    *matrix = (ald_matrix){
        .storage = ALD_CSC,
        .type = ALD_F64,
        .rows = INTEGER(size)[0],
        .cols = INTEGER(size)[1],
        .values = REAL(values),
        .pointers = INTEGER(pointers),
        .indices = INTEGER(indices),
        .index_bits = 32,
        .n_pointers = Rf_xlength(pointers),
        .n_values = Rf_xlength(values),
    };
    return ALD_OK;
}

ald_status r_take_matrix(r_call *call, SEXP given, const char *name, ald_matrix *matrix)
{
    if (Rf_isS4(given)) return take_sparse(call, given, name, matrix);
    if (TYPEOF(given) != REALSXP || !Rf_isMatrix(given)) return refuse_matrix(call, name);
    const int64_t rows = Rf_nrows(given);
    *matrix = ald_matrix_column_major(REAL(given), rows, Rf_ncols(given), rows);
    return ALD_OK;
}

/* Codes from 0; what R calls NA is marked in `labelled`. */
static ald_status take_classes(r_call *call, SEXP codes, SEXP list, ald_target *target)
{
    if (TYPEOF(codes) != INTSXP) return r_refuse(call, "classes are a factor");
    const R_xlen_t rows = Rf_xlength(codes);
    int32_t *from_zero = (int32_t *)R_alloc((size_t)rows + 1, sizeof *from_zero);
    for (R_xlen_t i = 0; i < rows; i++)
        from_zero[i] = INTEGER(codes)[i] == NA_INTEGER ? 0 : INTEGER(codes)[i] - 1;
    *target = ald_target_classes(from_zero, rows, Rf_xlength(r_field(list, "names")));
    return ALD_OK;
}

static ald_status take_target(r_call *call, SEXP list, ald_target *target)
{
    SEXP values = r_field(list, "values"), labelled = r_field(list, "labelled"),
         weights = r_field(list, "weights"), events = r_field(list, "events");
    const ald_target_kind kind = (ald_target_kind)r_whole(list, "kind");
    if (kind == ALD_TARGET_CLASSES) {
        R_TRY(take_classes(call, values, list, target));
    } else if (kind != ALD_TARGET_NONE) {
        ald_matrix matrix;
        R_TRY(r_take_matrix(call, values, "y", &matrix));
        *target = kind == ALD_TARGET_REAL ? ald_target_real(matrix) : ald_target_labels(matrix);
    }
    target->names = r_texts(list, "names");
    const R_xlen_t rows = (R_xlen_t)target->rows;
    if (TYPEOF(labelled) == RAWSXP && Rf_xlength(labelled) == rows) target->labelled = RAW(labelled);
    if (TYPEOF(events) == RAWSXP && Rf_xlength(events) == rows) target->events = RAW(events);
    if (TYPEOF(weights) == REALSXP && Rf_xlength(weights) == rows) target->weights = REAL(weights);
    return ALD_OK;
}

/* A matrix beside x, where there is one. */
static ald_status take_beside(r_call *call, SEXP given, const char *name, ald_matrix *matrix,
                              const ald_matrix **place)
{
    SEXP found = r_field(given, name);
    if (Rf_isNull(found)) return ALD_OK;
    R_TRY(r_take_matrix(call, found, name, matrix));
    *place = matrix;
    return ALD_OK;
}

ald_status r_take_inputs(r_call *call, SEXP given, r_inputs *inputs)
{
    SEXP target = r_field(given, "target");
    *inputs = (r_inputs){.view = ALD_INPUTS_INIT};
    R_TRY(r_take_matrix(call, r_field(given, "x"), "x", &inputs->x));
    inputs->target.rows = inputs->x.rows;
    inputs->view.x = &inputs->x;
    if (!Rf_isNull(target)) {
        R_TRY(take_target(call, target, &inputs->target));
        inputs->view.y = &inputs->target;
    }
    R_TRY(
        take_beside(call, given, "response_kernel", &inputs->response_kernel, &inputs->view.response_kernel));
    R_TRY(take_beside(call, given, "start", &inputs->start, &inputs->view.start));
    inputs->view.feature_names = r_texts(given, "features");
    inputs->view.row_names = r_texts(given, "rows");
    inputs->view.target_name = r_text(given, "target_name");
    return ALD_OK;
}

ald_status r_take_data(r_call *call, r_inputs *inputs)
{
    return ald_dataset_from_arrays(call->context, &inputs->view, 0, &call->data, &call->error);
}
