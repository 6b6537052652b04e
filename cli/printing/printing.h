/* What commands print: figures of models and rows, comparisons and columns, as tables and as JSON. */
#ifndef CLI_PRINTING_H
#define CLI_PRINTING_H

#include "candidates.h"
#include "printing/print_json.h"

typedef struct cli_scores {
    ald_target_kind kind;
    unsigned chosen; /* bits of the metrics for the table */
    unsigned listed; /* and for JSON */
    ald_score *scores;
    int count;         /* 0: the model has no predictor */
    double baseline;   /* accuracy of it, NaN: there is none */
    int64_t commonest; /* the class that it predicts, -1: none */
    /* The confusion matrix, classes x classes; NULL: not wanted. */
    int64_t *confusion;
    int64_t classes;
    json_t *names; /* of the classes, as the model has them; may be NULL */
} cli_scores;

/* What the predictor of a model gives; 0 columns: it has none. */
ald_prediction_shape cli_prediction_shape(const ald_model *model);
/* Whether what it predicts of times with events (--event) is a risk. */
int cli_predicts_risk(const ald_model *model);
/* Reads --metric for the predictions of a model. */
int cli_scores_choose(cli_session *session, const ald_model *model, cli_scores *scores);
/* Fills it from predictions for the rows x, whose target is `target`. For rows divided among ranks, x is this
 * rank's portion and `target` that of all of them; only rank 0 then has the figures. */
int cli_scores_compute(cli_session *session, const ald_model *model, const ald_matrix *x,
                       const ald_target *target, cli_scores *scores);
void cli_scores_free(cli_scores *scores);

/* Whether the table shows it. */
int cli_scores_have_baseline(const cli_scores *scores);
void cli_scores_print(cli_session *session, const cli_scores *scores);
/* Adds them to `root`; notes go to the list `notes`. Not 0: no memory. */
int cli_scores_json(const cli_scores *scores, json_t *root, json_t *notes);

/* One row per column, the intercept first. */
int cli_coefficients_write(cli_session *session, const ald_model *model, const char *path);

typedef struct cli_explained {
    int wanted;
    int64_t r;
    double *x, *y; /* r each */
} cli_explained;

void cli_explained_read(cli_session *session, cli_explained *explained);
int cli_explained_compute(cli_session *session, const ald_model *model, const ald_matrix *x,
                          const ald_target *y, const char *path, cli_explained *explained);
void cli_explained_print(cli_session *session, const cli_explained *explained);
/* Adds "explained" where it is wanted; not 0: no memory. */
int cli_explained_set(json_t *root, const cli_explained *explained);
void cli_explained_free(cli_explained *explained);

typedef struct cli_hsic {
    int wanted;
    int64_t permutations;
    ald_hsic_result result;
} cli_hsic;

/* Reads --hsic and --permutations. */
int cli_hsic_read(cli_session *session, cli_hsic *hsic);
/* For the projection of rows x by the model; does nothing if not requested, like the two below. For divided
 * rows `target` is that of all of them, and rank 0 has the result. */
int cli_hsic_compute(cli_session *session, const ald_model *model, const ald_matrix *x,
                     const ald_target *target, const char *path, cli_hsic *hsic);
void cli_hsic_print(cli_session *session, const cli_hsic *hsic);
/* Adds "hsic"; not 0: no memory. */
int cli_hsic_set(json_t *root, const cli_hsic *hsic);

typedef struct cli_tuning {
    const char *data, *output;
    const ald_dataset *dataset;
    ald_candidate candidate; /* of all methods together */
    ald_tuning *result;
    const ald_model *model;
    uint64_t seed;
    double seconds;
    int limited; /* the choice was to be judged, if the time allowed it */
} cli_tuning;

void cli_tuning_print(cli_session *session, const cli_tuning *t);
int cli_tuning_json(cli_session *session, const cli_tuning *t);
int cli_tuning_plot(cli_session *session, const cli_tuning *t, const char *path);
int cli_tuning_csv(cli_session *session, const cli_tuning *t, const char *path);

typedef struct cli_importance {
    int wanted;
    const char *file; /* NULL: none */
    int64_t r, d;
    double *values[ALD_IMPORTANCE_KINDS]; /* r x d, vip 1 x d; NULL: not known */
    char note[200];                       /* why there is no vip; "" */
    json_t *names;                        /* of the features, or NULL */
} cli_importance;

/* Reads --importance and --importance-file. */
int cli_importance_read(cli_session *session, cli_importance *importance);
/* With rows (dataset NULL: what the model alone knows). */
int cli_importance_compute(cli_session *session, const ald_model *model, const ald_matrix *x,
                           const ald_target *y, const char *path, cli_importance *m);
int cli_importance_write(cli_session *session, const cli_importance *importance);
void cli_importance_print(cli_session *session, const cli_importance *importance);
/* Adds "importance"; not 0: no memory. */
int cli_importance_set(json_t *root, const cli_importance *importance);
void cli_importance_free(cli_importance *importance);

typedef struct cli_stability {
    int wanted;
    const char *file; /* NULL: none */
    const char *plot; /* the same: a picture of the frequencies */
    int64_t r, d;
    double *frequency; /* d; NULL: the map is not linear */
    double *permuted;  /* d, behind it: those of permuted targets, the largest first; NULL as well */
    json_t *names;     /* of the features, or NULL */
    ald_stability_options options;
    ald_stability_row *rows; /* r */
    ald_stability_summary summary;
} cli_stability;

/* Reads --stability, --resamples, --resample, --leading, --stability-file, --stability-plot and --seed. */
int cli_stability_read(cli_session *session, cli_stability *stability);
int cli_stability_compute(cli_session *session, const ald_model *model, const ald_dataset *dataset,
                          const char *path, cli_stability *stability);
int cli_stability_write(cli_session *session, const cli_stability *stability);
int cli_stability_plot(cli_session *session, const cli_stability *stability);
void cli_stability_print(cli_session *session, const cli_stability *stability);
/* Adds "stability" where it is wanted; not 0: no memory. */
int cli_stability_set(json_t *root, const cli_stability *stability);
void cli_stability_free(cli_stability *stability);

typedef struct cli_angles {
    double *raw, *covariance; /* radians, rising */
    ald_angles_result result;
} cli_angles;

/* Compares two models; `dataset` NULL: without rows. */
int cli_angles_of_models(cli_session *session, const ald_model *model, const ald_model *other,
                         const ald_dataset *dataset, cli_angles *angles);
/* The angles of a model to known directions. */
int cli_angles_of_known(cli_session *session, const ald_model *model, const ald_matrix *known,
                        const ald_matrix *x, const ald_target *y, cli_angles *a);
void cli_angles_print(cli_session *session, const cli_angles *angles);
/* Adds "angles"; not 0: no memory. */
int cli_angles_set(json_t *root, const cli_angles *angles);
void cli_angles_free(cli_angles *angles);

/* Values of the rows of X: rows x columns, row major. */
typedef struct cli_results {
    const double *values;
    int64_t columns;
    const char *const *header;        /* columns */
    const char *const *const *levels; /* as in ald_write_table; NULL: all are numbers */
    const char *what;                 /* "component", "column": for the line that reports the file */
} cli_results;

/* Writes the ids and the columns of --keep, then the results: a row for every row of the file, with empty
 * cells where it was left out. Files of numbers (npy, svm) have the results alone. */
int cli_carried_write(cli_session *session, const char *output, const ald_dataset *dataset,
                      const cli_results *results);
/* {"name": [text of each row of the file]}; NULL: no column is carried, or no memory (`bad` is set). */
json_t *cli_carried_json(const ald_dataset *dataset, int *bad);

enum { CLI_MOST_SIZES = 256 };

/* "4,8,16" to numbers from 1 on, rising; an error names the option. */
int cli_read_sizes(cli_session *session, const char *option, const char *text, int64_t *sizes, int *count);

typedef struct cli_curve {
    ald_continuity_point points[CLI_MOST_SIZES];
    ald_continuity_summary summary; /* count 0: not asked for */
} cli_curve;

/* For rows x projected by the model, with the sizes of --continuity-k. For divided rows `target` is that of
 * all of them, and rank 0 has the result. */
int cli_curve_compute(cli_session *session, const ald_model *model, const ald_matrix *x,
                      const ald_target *target, const char *path, cli_curve *curve);
void cli_curve_print(cli_session *session, const cli_curve *curve);
json_t *cli_curve_json(const cli_curve *curve);

typedef struct cli_choice {
    int64_t sizes[CLI_MOST_SIZES];
    int count; /* 0: nothing to choose */
    ald_trial trials[CLI_MOST_SIZES];
} cli_choice;

/* Reads --choose-neighbors and refuses what cannot go with it. */
int cli_choice_read(cli_session *session, const ald_method *method, cli_choice *choice);
ald_status cli_choice_fit(cli_session *session, const ald_settings *settings, const ald_dataset *dataset,
                          cli_choice *choice, ald_model **model);
/* The table of what was tried. */
void cli_choice_say(cli_session *session, const cli_choice *choice);
json_t *cli_choice_json(const cli_choice *choice);

/* Prints words from column `column` on, continuing at `indent`; "\n" begins a new line. Ends the last line.
 */
void cli_print_wrapped(FILE *out, int column, int indent, const char *text);
/* "  LABEL   text", the text wrapped beside or, when the label is long, below it. */
void cli_print_entry(FILE *out, const char *label, int width, const char *text);

int cli_report_write(cli_session *session, const char *path, const char *html);
/* Methods side by side; `data` is the file of the rows. */
int cli_report_comparison(cli_session *session, const ald_comparison *comparison, const ald_dataset *dataset,
                          const char *data, const char *path);
/* What tuning chose, with the model of it. */
int cli_report_tuning(cli_session *session, const ald_tuning *tuning, const ald_model *model,
                      const ald_dataset *dataset, const char *data, const char *path);

/* The model as a page of Markdown, on standard output. */
int cli_card_print(cli_session *session, const ald_model *model);
/* cmd_export.c: "c, onnx, json": the formats that a model can be exported in, or "none". */
void cli_exports_print(cli_session *session, const ald_model *model);
/* The same as a list; NULL: no memory. */
json_t *cli_exports_json(cli_session *session, const ald_model *model);

typedef struct cli_comparison {
    const char *data;
    const ald_dataset *dataset;
    const cli_candidates *candidates;
    const ald_comparison *result;
    uint64_t seed;
    int timed;
} cli_comparison;

void cli_comparison_print(cli_session *session, const cli_comparison *c);
int cli_comparison_json(cli_session *session, const cli_comparison *c);
int cli_comparison_csv(cli_session *session, const cli_comparison *c, const char *path);

/* The picture of ald_plot_comparison as svg. */
/* The picture of any comparison, with a name for each of its rows. */
int cli_comparison_picture(cli_session *session, const ald_comparison *comparison, const char *const *names,
                           const char *title, const char *path);
int cli_comparison_plot(cli_session *session, const cli_comparison *c, const char *path);

/* What a row that chooses has chosen, and how often; `words` of each of its settings. And split by split. */
void cli_choices_print(const ald_comparison *comparison, int row, const char *const *words);
json_t *cli_choices_json(const ald_comparison *comparison, int row, const char *const *words);

/* The method behind a row, or the name of the baseline. */
const char *cli_comparison_method(const cli_comparison *c, const ald_comparison_row *row);
/* The words that distinguish its settings from others, "" if none do. */
const char *cli_comparison_words(const cli_comparison *c, const ald_comparison_row *row);
/* What the metric of a comparison is. */
void cli_metric_find(const ald_comparison *comparison, ald_metric_facts *facts);

#endif
