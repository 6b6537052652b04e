/* Routines about a model itself: what it says, its arrays, its bytes and files; and files of tables. */
#include "glue.h"
#include "routines.h"

#include <string.h>

static void put_texts(r_call *call, const ald_model *model)
{
    const char *key, *value;
    int count = 0;
    while (ald_model_text_at(model, count, &key, &value)) count++;
    SEXP keys = r_put(call, "keys", Rf_allocVector(STRSXP, count));
    SEXP texts = r_put(call, "texts", Rf_allocVector(STRSXP, count));
    for (int i = 0; i < count && ald_model_text_at(model, i, &key, &value); i++) {
        SET_STRING_ELT(keys, i, Rf_mkCharCE(key, CE_UTF8));
        SET_STRING_ELT(texts, i, Rf_mkCharCE(value, CE_UTF8));
    }
}

static SEXP text_or_null(const char *text)
{
    return text ? Rf_ScalarString(Rf_mkCharCE(text, CE_UTF8)) : R_NilValue;
}

ald_status r_put_new_model(r_call *call)
{
    size_t size;
    const char *fields[] = {"bytes", "method", "ncomp", "kind", "names", "features", ""};
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    const ald_model *model = call->model;
    ald_model_prediction_shape(model, &shape);
    const int is_classes = shape.kind == ALD_TARGET_CLASSES;
    const char *names = is_classes ? "alidade.class_names" : "alidade.response_names";
    R_TRY(ald_model_to_bytes(call->context, model, &call->bytes, &size, &call->error));
    SEXP about = r_put(call, "about", Rf_mkNamed(VECSXP, fields));
    SET_VECTOR_ELT(about, 0, Rf_allocVector(RAWSXP, (R_xlen_t)size));
    memcpy(RAW(VECTOR_ELT(about, 0)), call->bytes, size);
    SET_VECTOR_ELT(about, 1, text_or_null(ald_model_method(model)));
    SET_VECTOR_ELT(about, 2, Rf_ScalarReal((double)ald_model_component_count(model)));
    SET_VECTOR_ELT(about, 3, Rf_ScalarInteger(shape.kind));
    SET_VECTOR_ELT(about, 4, text_or_null(ald_model_text(model, names)));
    SET_VECTOR_ELT(about, 5, text_or_null(ald_model_text(model, "alidade.feature_names")));
    r_put_model(call);
    return ALD_OK;
}

static ald_status facts(r_call *call)
{
    const ald_model *model = r_model(call, "model");
    ald_prediction_shape shape = ALD_PREDICTION_SHAPE_INIT;
    if (!ald_model_prediction_shape(model, &shape)) return r_refuse(call, "`object` has no model");
    r_put_number(call, "features", (double)ald_model_feature_count(model));
    r_put_number(call, "probabilities", shape.probabilities);
    r_put_number(call, "formulas", (double)ald_coefficients_count(model));
    put_texts(call, model);
    return ALD_OK;
}
R_ENTRY(r_facts, facts)

/* An array of the model, its dimensions reversed as R stores the first one densely; NULL: it has none. */
static ald_status array_of(r_call *call)
{
    ald_array array;
    const char *name = r_text(call->arguments, "name");
    if (!name || !ald_model_array(r_model(call, "model"), name, &array)) return ALD_OK;
    SEXP shape = r_put(call, "shape", Rf_allocVector(INTSXP, array.dims));
    R_xlen_t count = 1;
    for (int i = 0; i < array.dims; i++) {
        count *= (R_xlen_t)array.shape[i];
        INTEGER(shape)[array.dims - 1 - i] = (int)array.shape[i];
    }
    double *values = REAL(r_put(call, "values", Rf_allocVector(REALSXP, count)));
    if (array.type == ALD_ARRAY_F64 && count > 0) memcpy(values, array.data, (size_t)count * sizeof *values);
    for (R_xlen_t i = 0; array.type == ALD_ARRAY_I64 && i < count; i++)
        values[i] = (double)((const int64_t *)array.data)[i];
    return ALD_OK;
}
R_ENTRY(r_array, array_of)

static ald_status from_bytes(r_call *call)
{
    SEXP bytes = r_given(call, "bytes");
    if (TYPEOF(bytes) != RAWSXP) return r_refuse(call, "the bytes of a model are a raw vector");
    R_TRY(ald_model_from_bytes(call->context, RAW(bytes), (size_t)Rf_xlength(bytes), &call->model,
                               &call->error));
    r_put_model(call);
    return ALD_OK;
}
R_ENTRY(r_from_bytes, from_bytes)

static ald_status save(r_call *call)
{
    return ald_model_save(call->context, r_model(call, "model"), r_text(call->arguments, "path"),
                          &call->error);
}
R_ENTRY(r_save, save)

static ald_status export_model(r_call *call)
{
    ald_export_options options = ALD_EXPORT_OPTIONS_INIT;
    options.format = r_text(call->arguments, "format");
    options.what = r_text(call->arguments, "what");
    options.inputs = r_text(call->arguments, "inputs");
    options.table = r_text(call->arguments, "table");
    options.keep = r_text(call->arguments, "keep");
    options.level = r_number(call->arguments, "level");
    return ald_model_export(call->context, r_model(call, "model"), r_text(call->arguments, "path"), &options,
                            &call->error);
}
R_ENTRY(r_export, export_model)

static ald_status load(r_call *call)
{
    R_TRY(ald_model_load(call->context, r_text(call->arguments, "path"), &call->model, &call->error));
    return r_put_new_model(call);
}
R_ENTRY(r_load, load)

/* A table in another format, by the endings of the paths. */
static ald_status convert(r_call *call)
{
    ald_load_options options = ALD_LOAD_OPTIONS_INIT;
    options.sheet = r_text(call->arguments, "sheet");
    return ald_convert(call->context, r_text(call->arguments, "from"), r_text(call->arguments, "to"),
                       &options, &call->error);
}
R_ENTRY(r_convert, convert)

/* The model of the first components. */
static ald_status first(r_call *call)
{
    R_TRY(ald_model_first(call->context, r_model(call, "model"), r_whole(call->arguments, "ncomp"),
                          &call->model, &call->error));
    r_put_model(call);
    return ALD_OK;
}
R_ENTRY(r_first, first)

static ald_status coefficients(r_call *call)
{
    const ald_model *model = r_model(call, "model");
    const int64_t count = ald_coefficients_count(model);
    if (count == 0)
        return r_refuse(call, "there is no formula of the columns: the map or the predictor is not linear");
    int prepared = 0;
    double *values = r_put_rows(call, "values", ald_model_feature_count(model), count);
    double *intercept = r_put_rows(call, "intercept", 1, count);
    R_TRY(ald_coefficients(call->context, model, values, intercept, &prepared, &call->error));
    r_put_number(call, "prepared", prepared);
    return ALD_OK;
}
R_ENTRY(r_coefficients, coefficients)
