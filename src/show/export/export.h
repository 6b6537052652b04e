/* The formats that a recipe can be written in. */
#ifndef ALD_EXPORT_EXPORT_H
#define ALD_EXPORT_EXPORT_H

#include "show/export/pen.h"
#include "show/export/recipe.h"

#include <alidade/export.h>

typedef struct ald_export_job {
    ald_export_options options;
    int scores, predictions; /* what is wanted */
    ald_pen pen;             /* of the file */
} ald_export_job;

/* A check refuses what its writer cannot express. */
ald_status ald_export_c_check(ald_run *run, const ald_model_recipe *recipe, const ald_export_job *job);
ald_status ald_export_c(ald_run *run, const ald_model_recipe *recipe, ald_export_job *job);
ald_status ald_export_onnx_check(ald_run *run, const ald_model_recipe *recipe, const ald_export_job *job);
ald_status ald_export_onnx(ald_run *run, const ald_model_recipe *recipe, ald_export_job *job);
ald_status ald_export_sql_check(ald_run *run, const ald_model_recipe *recipe, const ald_export_job *job);
ald_status ald_export_sql(ald_run *run, const ald_model_recipe *recipe, ald_export_job *job);
ald_status ald_export_json_check(ald_run *run, const ald_model_recipe *recipe, const ald_export_job *job);
ald_status ald_export_json(ald_run *run, const ald_model_recipe *recipe, ald_export_job *job);

#endif
