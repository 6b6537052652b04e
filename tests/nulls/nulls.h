/* What the generated calls are made with. */
#ifndef ALD_TESTS_NULLS_H
#define ALD_TESTS_NULLS_H

#include <alidade/alidade.h>

enum { nulls_rows = 24, nulls_cols = 3 };

typedef struct nulls {
    ald_context *context;
    ald_settings *settings, *neighbours, *plain;
    ald_model *model, *plain_model;
    ald_dataset *data, *survey;
    ald_splits *splits;
    ald_comparison *comparison;
    ald_tuning *tuning;
    ald_candidates *candidates;
    ald_matrix x, known;
    ald_target y, class_target;
    ald_options options;
    ald_load_options load, as_it_is;
    ald_split_file_options split;
    ald_generate_options generate;
    ald_plot_options plot;
    ald_report_options report;
    ald_export_options export;
    ald_inputs inputs;
    ald_table_column columns[2];
    ald_hsic_options hsic;
    ald_continuity_options continuity;
    ald_choice_options choice;
    ald_dimension_options dimension;
    ald_stability_options stability;
    ald_splits_options splitting;
    ald_calibration_options calibration;
    ald_model *calibrated, *classifier; /* with errors: of numbers, of classes */
    unsigned char sets[nulls_rows * 3];
    ald_compare_options compare;
    ald_tune_options tune;
    ald_search search;
    ald_output_view output;
    ald_outlier_limits limits;
    ald_hsic_result hsic_result;
    ald_subspace_result subspace;
    ald_map_difference difference;
    ald_angles_result angles;
    ald_score_options scoring;
    ald_metric_facts facts;
    ald_eigengap_result eigengap;
    ald_dimension_row dimension_rows[64];
    ald_dimension_choice dimension_choice;
    ald_stability_row stability_rows[64];
    ald_stability_summary stability_summary;
    ald_score scores[64];
    ald_continuity_point points[64];
    ald_continuity_summary summary;
    ald_trial trials[4];
    ald_prediction_shape shape;
    ald_out_of_fold out_of_fold;
    ald_array array;
    ald_error error;
    ald_model *out_model;
    ald_dataset *out_data;
    ald_settings *out_settings;
    ald_context *out_context;
    ald_splits *out_splits;
    ald_merging *merging, *out_merging;
    ald_ranks *ranks;
    ald_device *device;
    ald_device_facts device_facts;
    ald_comparison *out_comparison;
    ald_tuning *out_tuning;
    ald_candidates *out_candidates;
    char *out_text;
    unsigned char *out_bytes;
    const char *out_name;
    double reals[4096], numbers[nulls_rows * nulls_cols], responses[nulls_rows], code_numbers[nulls_rows],
        shares[nulls_rows];
    int64_t integers[64], codes[nulls_rows];
    int32_t classes[nulls_rows];
    int number;
    size_t size;
    char reason[200], second[200];
    unsigned char *bytes;
    size_t n_bytes;
    const char *names[nulls_rows];
    const char *csv, *written, *written_too, *saved;
} nulls;

typedef struct null_case {
    const char *function;
    const char *null; /* the argument that is NULL or outside of its list; "": none is */
    ald_status (*call)(nulls *f);
} null_case;

/* Ends with NULL. */
extern const null_case null_cases[];

#endif
