/* A fitted model as a file for other programs: C, ONNX, SQL, or numbers as JSON. */
#ifndef ALIDADE_EXPORT_H
#define ALIDADE_EXPORT_H

#include <alidade/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Begin with ALD_EXPORT_OPTIONS_INIT. */
typedef struct ald_export_options {
    size_t size;
    const char *format; /* "c", "onnx", "sql", "json"; NULL: by the ending of the name */
    const char
        *what; /* "scores" (the projection), "prediction", "both"; NULL: both, as far as there are both */
    const char *inputs; /* onnx: "matrix", "columns"; NULL: columns where some are categories, else matrix */
    const char *table;  /* sql: the name of the table; NULL: "data" */
    const char *keep;   /* sql: columns that pass through, separated by commas; NULL: none */
    /* Of intervals, where the model is calibrated. sql: 0 is none; onnx: the default of its input, 0
     * is 0.9. */
    double level;
} ald_export_options;
#define ALD_EXPORT_OPTIONS_INIT ALD_INIT(ald_export_options)

/* Writes the model, with all that is done to a row before, in such a form. What it cannot express is refused
 * before anything is written. The file is there whole or not at all. docs/export.md describes the formats. */
ALD_API ald_status ald_model_export(ald_context *context, const ald_model *model, const char *path,
                                    const ald_export_options *options, ald_error *error);
/* Why the model cannot be exported in the format "c", "onnx", "sql" or "json": an error, with the reason;
 * ALD_OK: it can. Nothing is written. */
ALD_API ald_status ald_model_can_export(ald_context *context, const ald_model *model, const char *format,
                                        ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
