/* The parameters that every method has and the library itself reads, and their values in one struct. */
#ifndef ALD_SETTINGS_COMMON_PARAMS_H
#define ALD_SETTINGS_COMMON_PARAMS_H

#include "base/settings/method.h"
#include "base/settings/row_steps.h"

/* Enumerators in the order of the choices. */
typedef enum ald_column_scale {
    ALD_COLUMNS_PLAIN,
    ALD_COLUMNS_STANDARD,
    ALD_COLUMNS_MINMAX,
} ald_column_scale;
typedef enum ald_row_scale { ALD_ROWS_PLAIN, ALD_ROWS_STANDARD, ALD_ROWS_UNIT } ald_row_scale;

typedef struct ald_common_settings {
    int64_t n_components; /* 0: the method's own rule */
    int at_most;          /* where there are fewer, these are taken */
    ald_column_scale scale;
    int scale_given;    /* somebody chose it */
    ald_row_steps rows; /* done to each row before row_scale */
    ald_row_scale row_scale;
    int keep_statistics;
    int outlier_limits; /* what ald_outliers needs is kept in the model */
    uint64_t seed;
} ald_common_settings;

/* The name and the value of the setting that takes fewer components where there are no more. */
const char *ald_at_most_rule(const char **name);
/* Whether they let cells of X be without a value (NaN). */
int ald_gaps_in(const ald_settings *settings);
ald_common_settings ald_common_settings_of(const ald_settings *settings);
/* The one that most want: random_state as a seed. */
uint64_t ald_seed(const ald_run *run);

ald_status ald_set_n_components(ald_settings *settings, int64_t n_components, ald_error *error);
/* Where there are fewer, these are taken. */
ald_status ald_set_at_most(ald_settings *settings, ald_error *error);
ald_status ald_set_keep_statistics(ald_settings *settings, int keep, ald_error *error);
/* Rows as they are: neither steps nor a scale. */
ald_status ald_set_plain_rows(ald_settings *settings, ald_error *error);
/* The columns, too. */
ald_status ald_set_plain(ald_settings *settings, ald_error *error);
/* Whether two settings prepare X alike. */
int ald_same_preparation(const ald_settings *a, const ald_settings *b);
/* Whether two settings prepare each row alike, whatever the other rows are. */
int ald_same_rows(const ald_settings *a, const ald_settings *b);

/* How the rows of a model's data were scaled; plain where it does not say. */
ald_row_scale ald_model_row_scale(const ald_model *model);

extern const ald_param *const ald_common_params[];

#endif
