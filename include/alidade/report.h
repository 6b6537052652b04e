/* The report: one self-contained HTML page. */
#ifndef ALIDADE_REPORT_H
#define ALIDADE_REPORT_H

#include <alidade/dataset.h>
#include <alidade/model.h>
#include <alidade/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Begin with ALD_REPORT_OPTIONS_INIT. */
typedef struct ald_report_options {
    size_t size;
    const char *title; /* NULL: made from the method and the file */
    int64_t folds;     /* of the cross-validation; 0: 10, or 5 with `quick`, but at most the number of rows */
    /* Number of fits to resampled rows, and the same number to permuted targets: for the stability and the
     * selection frequency. 0: 20, fewer if they would take long; negative: none. */
    int64_t resamples;
    /* Leave out the slow parts: the stability, the curve over the number of components, all features as a
     * baseline, and with test rows the cross-validation. */
    int quick;
    uint64_t seed; /* of folds, resamples and the sample of rows */
    /* The files from which the inputs were read, for their names and digests; NULL: not given. */
    const char *model_path, *data_path, *test_path;
    const char *const *commands; /* commands that repeat the analysis, shown to the reader; NULL-terminated.
                                    NULL: none */
    /* How the model was tuned; NULL: it was not. If it kept predictions, they give the headline figure. */
    const ald_tuning *tuning;
    /* One number per row of the data: no fold divides rows with the same number. NULL: the groups of the
     * dataset. */
    const int64_t *groups;
} ald_report_options;
#define ALD_REPORT_OPTIONS_INIT ALD_INIT(ald_report_options)

/* `data` are the rows the model was fitted on, `test` further rows (NULL: none), both loaded like the model.
 * The headline figure is that of the test rows if they have a target, otherwise it comes from
 * cross-validation with the same method, settings and number of components; predictions for the rows of
 * `data` come from fits that did not see them. Above 200,000 rows the page contains a sample of 50,000 and
 * densities of all. The same inputs give the same bytes. The page is one text; free with ald_text_free, write
 * with ald_write_text. */
ALD_API ald_status ald_report(ald_context *context, const ald_model *model, const ald_dataset *data,
                              const ald_dataset *test, const ald_report_options *options, char **html,
                              ald_error *error);
/* The same for methods side by side. `data` are the rows they were compared on, or NULL. */
ALD_API ald_status ald_report_comparison(ald_context *context, const ald_comparison *comparison,
                                         const ald_dataset *data, const ald_report_options *options,
                                         char **html, ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
