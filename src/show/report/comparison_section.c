/* The interval of a mean over J splits: mean -+ t(J - 1) sqrt((1/J + n_test/n_train) s^2), with s the
 * standard deviation over the splits. The second term is there because the training parts overlap (Nadeau and
 * Bengio 2003), as in the paired test. */
#include "base/numbers/distributions.h"
#include "show/report/figures.h"
#include "show/report/sections.h"

#include <math.h>

static double test_ratio(const ald_splits *splits)
{
    int64_t train, test;
    ald_splits_rows(splits, 0, NULL, &train, NULL, &test);
    return train > 0 ? (double)test / (double)train : (double)NAN;
}

/* The interval ends where the metric does. */
static ald_figure figure_of(const ald_comparison_row *row, const ald_metric_facts *metric, double ratio)
{
    const double J = (double)row->count;
    ald_figure figure = {row->mean, NAN, NAN, 0};
    if (row->count < 2 || !isfinite(row->std)) return figure;
    const double half = sqrt(ald_f_quantile(0.05, 1.0, J - 1.0) * (1.0 / J + ratio)) * row->std;
    figure.low = fmax(row->mean - half, metric ? metric->least : -INFINITY);
    figure.high = fmin(row->mean + half, metric ? metric->most : INFINITY);
    return figure;
}

static ald_status name_of(ald_run *run, const ald_comparison_row *row, ald_text *name)
{
    ald_text_init(name, &run->scratch);
    ALD_TRY(ald_text_print(run, name, "%s", row->label));
    return row->words && *row->words ? ald_text_print(run, name, " %s", row->words) : ALD_OK;
}

static const char *verdict_of(const ald_comparison_row *row)
{
    if (row->mark != ALD_MARK_NONE) return ald_mark_name(row->mark);
    return isfinite(row->p_value) ? "worse" : "";
}

static ald_status write_row(ald_run *run, ald_page *page, const ald_comparison_row *row,
                            const ald_metric_facts *metric, double ratio)
{
    const ald_figure figure = figure_of(row, metric, ratio);
    ald_text name;
    ALD_TRY(name_of(run, row, &name));
    ald_page_open(page, '{');
    ald_page_text_of(page, "name", name.data);
    ald_page_real_of(page, "components", row->dims > 0 ? (double)row->dims : (double)NAN);
    ald_page_real_of(page, "mean", figure.value);
    ald_page_real_of(page, "low", figure.low);
    ald_page_real_of(page, "high", figure.high);
    ald_page_real_of(page, "difference", row->difference);
    ald_page_real_of(page, "diff_low", row->difference_low);
    ald_page_real_of(page, "diff_high", row->difference_high);
    ald_page_real_of(page, "seconds", row->fit_seconds);
    ald_page_text_of(page, "verdict", verdict_of(row));
    ald_page_text_of(page, "note", row->reason);
    ald_page_close(page, '}');
    return ald_page_status(page);
}

static const ald_comparison_row *best_row(const ald_comparison *comparison)
{
    for (int i = 0; i < ald_comparison_count(comparison); i++)
        if (ald_comparison_at(comparison, i)->mark == ALD_MARK_BEST) return ald_comparison_at(comparison, i);
    return NULL;
}

static int count_equals(const ald_comparison *comparison)
{
    int count = 0;
    for (int i = 0; i < ald_comparison_count(comparison); i++)
        count += ald_comparison_at(comparison, i)->mark == ALD_MARK_EQUAL;
    return count;
}

static ald_status write_sentence(ald_run *run, const ald_comparison *comparison,
                                 const ald_metric_facts *metric, const ald_figure *figure, ald_text *text)
{
    const ald_comparison_row *best = best_row(comparison);
    const int count = ald_comparison_count(comparison), equals = count_equals(comparison);
    char words[ALD_FIGURE_TEXT];
    ald_text name;
    ald_text_init(text, &run->scratch);
    ALD_TRY(ald_text_print(run, text, "Of %d candidates on the same splits (%s) ", count,
                           ald_splits_note(ald_comparison_splits(comparison))));
    if (!best) return ald_text_print(run, text, "none has a figure.");
    ALD_TRY(name_of(run, best, &name));
    ald_figure_text(figure, words);
    ALD_TRY(ald_text_print(run, text, "the best mean is that of %s", name.data));
    if (best->dims > 0)
        ALD_TRY(ald_text_print(run, text, " with %lld component%s", (long long)best->dims,
                               best->dims == 1 ? "" : "s"));
    ALD_TRY(ald_text_print(run, text, ": %s %s on rows not seen", metric->title, words));
    if (equals == 0) return ald_text_print(run, text, ". All others are shown to be worse.");
    return ald_text_print(run, text,
                          "; %d %s not shown to be worse. The best of many looks better than it is.", equals,
                          equals == 1 ? "other is" : "others are");
}

static ald_status write_headline(ald_run *run, const ald_comparison *comparison,
                                 const ald_metric_facts *metric, double ratio, double rows, ald_page *page)
{
    const ald_comparison_row *best = best_row(comparison);
    const ald_figure figure = best ? figure_of(best, metric, ratio) : (ald_figure){NAN, NAN, NAN, 0};
    ald_text sentence;
    ALD_TRY(write_sentence(run, comparison, metric, &figure, &sentence));
    ald_page_open_of(page, "headline", '{');
    ald_page_text_of(page, "sentence", sentence.data);
    ald_page_metric(page, metric);
    ald_page_real_of(page, "value", figure.value);
    ald_page_real_of(page, "low", figure.low);
    ald_page_real_of(page, "high", figure.high);
    ald_page_real_of(page, "level", 0.95);
    ald_page_real_of(page, "n", rows);
    ald_page_text_of(page, "source", "cross-validation");
    ald_page_null_of(page, "training");
    ald_page_key(page, "baselines"); /* they are rows of the comparison */
    ald_page_open(page, '[');
    ald_page_close(page, ']');
    ald_page_close(page, '}');
    return ald_page_status(page);
}

ald_status ald_section_comparison(ald_run *run, const ald_comparison *comparison, const ald_dataset *data,
                                  ald_page *page)
{
    const ald_splits *splits = ald_comparison_splits(comparison);
    const double ratio = test_ratio(splits);
    ald_metric_facts facts;
    const ald_metric_facts *metric = ald_metric_named(ald_comparison_metric(comparison, NULL),
                                                      data ? data->target.kind : ALD_TARGET_NONE, &facts);
    ALD_TRY(write_headline(run, comparison, metric, ratio, data ? (double)data->x.rows : (double)NAN, page));
    ald_page_open_of(page, "compare", '{');
    ald_page_metric(page, metric);
    ald_page_open_of(page, "rows", '[');
    for (int i = 0; i < ald_comparison_count(comparison); i++)
        ALD_TRY(write_row(run, page, ald_comparison_at(comparison, i), metric, ratio));
    ald_page_close(page, ']');
    ald_page_whole_of(page, "splits", ald_splits_count(splits));
    ald_page_text_of(page, "splits_text", ald_splits_note(splits));
    ald_page_close(page, '}');
    return ald_page_status(page);
}
