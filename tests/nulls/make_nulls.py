#!/usr/bin/env python3
"""make_nulls INCLUDE OUTPUT: writes a C program that calls every public function, once with arguments that make sense and
once for each of its pointers with NULL in that place, and with numbers that lie outside of a list. See nulls.c for what
must come of it.

Arguments are found by their type and name in the tables below. A new function whose arguments the tables do not know
makes this script fail: add a line."""
import glob
import os
import re
import sys

# "TYPE name" or "TYPE" -> expression; FUNCTION:name -> expression, where one function needs another
VALUES = {
    "ald_context *": "f->context", "const ald_context *": "f->context",
    "ald_settings *": "f->settings", "const ald_settings *": "f->settings",
    "const ald_model *": "f->model", "const ald_dataset *": "f->data",
    "const ald_matrix *": "&f->x", "const ald_matrix *known": "&f->known", "const ald_target *": "&f->y",
    "const ald_method *": "ald_method_find(\"pls\")",
    "const ald_splits *": "f->splits", "const ald_comparison *": "f->comparison",
    "const ald_tuning *": "f->tuning", "const ald_candidates *": "f->candidates",
    "const ald_compare_options *": "&f->compare", "const ald_tune_options *": "&f->tune",
    "const ald_search *": "&f->search", "ald_out_of_fold *": "&f->out_of_fold",
    "ald_comparison **": "&f->out_comparison", "ald_tuning **": "&f->out_tuning",
    "ald_candidates **": "&f->out_candidates",
    "const ald_options *": "&f->options", "const ald_load_options *": "&f->load",
    "const ald_split_file_options *": "&f->split", "const ald_generate_options *": "&f->generate",
    "const ald_plot_options *": "&f->plot", "const ald_report_options *": "&f->report", "const ald_inputs *": "&f->inputs",
    "const ald_export_options *": "&f->export", "ald_model_export:path": "f->written", "const char *format": "\"c\"",
    "const ald_table_column *": "f->columns", "ald_dataset_from_columns:count": "2",
    "const ald_hsic_options *": "&f->hsic",
    "const ald_continuity_options *": "&f->continuity", "const ald_choice_options *": "&f->choice",
    "const ald_dimension_options *": "&f->dimension", "const ald_stability_options *": "&f->stability",
    "const ald_output_view *": "&f->output", "const ald_splits_options *": "&f->splitting",
    "const ald_calibration_options *": "&f->calibration", "unsigned char *": "f->sets", "double level": "0.5",
    "ald_predict_intervals:model": "f->calibrated", "ald_predict_sets:model": "f->classifier",
    "ald_outlier_limits *": "&f->limits", "ald_hsic_result *": "&f->hsic_result",
    "ald_subspace_result *": "&f->subspace", "ald_map_difference *": "&f->difference",
    "ald_angles_result *": "&f->angles", "const ald_score_options *": "&f->scoring", "ald_metric_facts *": "&f->facts",
    "ald_eigengap_result *": "&f->eigengap", "ald_dimension_row *": "f->dimension_rows",
    "ald_dimension_choice *": "&f->dimension_choice", "ald_stability_row *": "f->stability_rows",
    "ald_stability_summary *": "&f->stability_summary", "ald_score *": "f->scores",
    "ald_continuity_point *": "f->points", "ald_continuity_summary *": "&f->summary", "ald_trial *": "f->trials",
    "ald_prediction_shape *": "&f->shape", "ald_array *": "&f->array", "ald_error *": "&f->error",
    "ald_model **": "&f->out_model", "ald_dataset **": "&f->out_data", "ald_settings **": "&f->out_settings",
    "ald_context **": "&f->out_context", "ald_merging **": "&f->out_merging", "ald_merging *": "f->merging", "ald_splits **": "&f->out_splits", "char **": "&f->out_text",
    "unsigned char **": "&f->out_bytes", "const char **": "&f->out_name",
    "double *": "f->reals", "const double *": "f->numbers", "int64_t *": "f->integers", "const int64_t *": "f->codes",
    "ald_write_portions:path": "f->written", "const int32_t *": "f->classes", "int *": "&f->number", "size_t *": "&f->size", "char *reason": "f->reason",
    "char *title": "f->reason", "char *unit": "f->second",
    "const unsigned char *": "f->bytes", "const void *bytes": "f->bytes", "ald_ranks_gather:size": "1", "void *user": "f",
    "const char *const *": "f->names", "const char *const *const *": "NULL",
    "const char *path": "f->csv", "const char *from": "f->csv", "const char *to": "f->written",
    "const char *train_path": "f->written", "const char *test_path": "f->written_too", "const char *text": "\"a\"",
    "const char *key": "\"alidade.method\"", "const char *method": "\"pls\"", "const char *name": "\"n_components\"",
    "const char *value": "\"1\"", "const char *a": "f->csv", "const char *b": "f->csv",
    "ald_model_save:path": "f->written", "ald_model_load:path": "f->saved", "ald_generate:name": "\"plane\"",
    "ald_generate:path": "f->written", "ald_generate_dataset:name": "\"plane\"", "ald_write_text:path": "f->written",
    "ald_write_matrix:path": "f->written", "ald_write_table:path": "f->written", "ald_model_array:name": "\"mean\"",
    "ald_checkpoint_remove:path": "\"no-checkpoint\"",
    "ald_fit_stream:survey": "f->survey", "ald_fit_stream:settings": "f->plain", "ald_update:model": "f->plain_model",
    "ald_merging_new:first": "f->plain_model", "ald_merging_add:part": "f->plain_model",
    "ald_convert:options": "&f->as_it_is", "ald_choose_neighbors:settings": "f->neighbours",
    "const char *methods": "\"pls,lda\"", "const char *words": "\"pls n_components=1\"", "const char *grid": "\"0,log:1e-4:1:5\"",
    "ald_metric_larger_is_better:name": "\"rmse\"",
    "ald_method_find:name": "\"pls\"", "ald_method_suggest:name": "\"plss\"",
    "ald_score_predictions:prediction": "f->responses", "ald_model_first:components": "1",
    "ald_plot_selection:count": "nulls_rows", "ald_plot_selection:share": "f->shares",
    "ald_score_predictions_with:prediction": "f->responses", "ald_confusion:prediction": "f->code_numbers",
    "ald_confusion:y": "&f->class_target", "ald_context_with_progress:progress": "NULL",
    "ald_context_with_log:log": "NULL", "ald_ranks **": "&f->ranks", "ald_device **": "&f->device", "const ald_device *": "f->device", "ald_device *": "f->device",
    "ald_device_open:name": "\"cpu\"", "ald_device_open_on_rank:name": "\"cpu\"", "ald_device_facts *": "&f->device_facts", "const ald_ranks *": "f->ranks", "ald_ranks *": "f->ranks",
    "ald_model_from_bytes:size": "f->n_bytes", "ald_write_text:size": "1", "ald_continuity:r": "1",
    "ald_continuity:capacity": "64", "ald_importance:kind": "ALD_IMPORTANCE_STRUCTURE",
    "ald_target_kind": "ALD_TARGET_REAL",
    "int64_t rows": "nulls_rows", "int64_t cols": "nulls_cols", "int64_t columns": "1", "int64_t stride": "nulls_cols",
    "int64_t n_classes": "3", "int capacity": "64", "size_t reason_size": "sizeof f->reason", "ald_matrix": "f->x",
}
NUMBERS = {"ald_target_kind", "ald_mark", "int", "int64_t", "uint64_t", "unsigned", "double", "ald_status",
           "ald_importance_kind", "size_t"}
# Numbers of things in a list, which may lie before its beginning or behind its end.
INDICES = {"row", "column", "index", "split", "metric", "candidate", "setting", "kind", "component"}


def prototypes(include):
    for path in sorted(glob.glob(os.path.join(include, "alidade", "*.h"))):
        text = re.sub(r"/\*.*?\*/", "", open(path, encoding="utf-8").read(), flags=re.S)
        for found in re.finditer(r"ALD_API\s+([^;(]*?)(\bald_\w+)\((.*?)\);", text, re.S):
            yield found.group(1).strip(), found.group(2), " ".join(found.group(3).split())


def split(arguments):
    """At the commas that are not within a function pointer."""
    parts, depth = [""], 0
    for letter in arguments:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip() not in ("", "void")]


def expression(function, argument):
    pointer = re.match(r".*\(\*(\w+)\)\(", argument)
    name = pointer.group(1) if pointer else re.search(r"(\w+)$", argument).group(1)
    kind = argument[: len(argument) - len(name)].strip() if not pointer else "function"
    for key in (f"{function}:{name}", f"{kind}{name}", f"{kind} {name}", kind):
        if key in VALUES:
            return name, kind, VALUES[key]
    if kind in NUMBERS:
        return name, kind, "0"
    if function.endswith("_free"):
        return name, kind, "NULL"
    raise SystemExit(f"make_nulls: no value for '{argument}' of {function}: add one to its table")


def call(result, function, arguments):
    text = f"{function}({', '.join(arguments)})"
    return f"return {text};" if result == "ald_status" else f"(void){text};\n    return ALD_OK;" if result != "void" else \
        f"{text};\n    return ALD_OK;"


def main():
    include, output = sys.argv[1:3]
    cases, table = [], []
    for result, function, text in prototypes(include):
        given = [expression(function, argument) for argument in split(text)]
        frees = function.endswith("_free")
        whole = [value for _, _, value in given]
        variants = [] if frees else [("", whole)]
        for at, (name, kind, value) in enumerate(given):
            if kind.endswith("*"):
                variants.append((name, whole[:at] + ["NULL"] + whole[at + 1:]))
            if name in INDICES and kind in NUMBERS:
                variants += [(f"{name} outside", whole[:at] + [far] + whole[at + 1:]) for far in ("-1", "1 << 20")]
        for name, arguments in variants:
            number = len(cases)
            cases.append(f"static ald_status call_{number}(nulls *f)\n{{\n    (void)f;\n    "
                         f"{call(result, function, arguments)}\n}}\n")
            table.append(f'    {{"{function}", "{name}", call_{number}}},\n')
    with open(output, "w", encoding="utf-8") as file:
        file.write('/* Written by make_nulls.py. */\n#include "nulls/nulls.h"\n\n' + "\n".join(cases) +
                   "\nconst null_case null_cases[] = {\n" + "".join(table) + "    {NULL, NULL, NULL},\n};\n")


main()
