/* One page that shows what was found: HTML in one file, which loads nothing else. */
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
    int64_t folds;     /* of the cross-validation; 0: 10, with `quick` 5, no more than there are rows */
    /* Fits to rows that were drawn again, and as many to permuted targets: for the stability and the
     * selection frequency. 0: 20, fewer where they would take long; negative: none. */
    int64_t resamples;
    /* Leave out what takes long: the stability, the curve over the number of components, all features as a
     * baseline, and with test rows the cross-validation. */
    int quick;
    uint64_t seed; /* of folds, resamples and the sample of rows */
    /* The files that the inputs come from, for their names and digests; NULL: not given. */
    const char *model_path, *data_path, *test_path;
    const char *const *commands; /* that repeat it, for the reader; ends with NULL. NULL: none */
    /* How the model was tuned; NULL: it was not. Predictions that it kept are the figure on top. */
    const ald_tuning *tuning;
    /* One number per row of the data: no fold divides rows with the same number. NULL: the groups
     * of the dataset. */
    const int64_t *groups;
} ald_report_options;
#define ALD_REPORT_OPTIONS_INIT ALD_INIT(ald_report_options)

/* `data` are the rows the model was fitted on, `test` further rows (NULL: none), both read like the model.
 * The figure on top is of the test rows where they have a target, else by cross-validation of the same
 * method, settings and number of components; the predictions of the rows of `data` are those of fits that did
 * not see them. Above 200,000 rows a sample of 50,000 is in the page, with densities of all. The same inputs
 * give the same bytes. The page is one text, freed with ald_text_free and written by ald_write_text. */
ALD_API ald_status ald_report(ald_context *context, const ald_model *model, const ald_dataset *data,
                              const ald_dataset *test, const ald_report_options *options, char **html,
                              ald_error *error);
/* The same of methods side by side. `data` are the rows they were compared on, or NULL. */
ALD_API ald_status ald_report_comparison(ald_context *context, const ald_comparison *comparison,
                                         const ald_dataset *data, const ald_report_options *options,
                                         char **html, ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
