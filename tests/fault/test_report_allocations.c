/* Every allocation of a report is made to fail once: of a model with test rows, of a comparison, of tuning.
 */
#include "support/failing.h"

static ald_status use_report(const plan *p, session *s)
{
    static const char *const commands[] = {"alidade report", NULL};
    STEP(failing_begin(p, s, 1));
    STEP(ald_fit_dataset(s->context, s->settings, s->data, &s->model, &s->error));
    const ald_report_options options = {
        .size = sizeof options,
        .folds = 2,
        .resamples = 1,
        .data_path = p->file,
        .commands = commands,
    };
    return ald_report(s->context, s->model, s->data, s->data, &options, &s->svg, &s->error);
}

static const char table[] =
    "id,u (mm),v,y\n1,1,2,k\n2,2,1,l\n3,3,5,k\n4,4,4,m\n5,5,1,l\n6,6,2,k\n7,3,1,m\n8,1,1,m\n";

static void models(void **state)
{
    (void)state;
    const plan classes = {
        .file = failing_input("r.csv", table),
        .method = "lda",
        .set = "n_components=2 predictor=gaussian ridge=0.1",
        .to = "r.ald",
        .load = {.target = "y", .id = "id"},
        .use = use_report,
    };
    failing_each(&classes);
}

static ald_status use_comparison(const plan *p, session *s)
{
    STEP(failing_begin(p, s, 1));
    const ald_splits_options splits = {.size = sizeof splits, .folds = 2};
    const ald_compare_options compare = {.size = sizeof compare, .methods = "lda", .splits = &splits};
    STEP(ald_compare_dataset(s->context, s->data, &compare, &s->comparison, &s->error));
    for (int i = 0; i < ald_comparison_count(s->comparison); i++)
        STEP(ald_comparison_at(s->comparison, i)->status == ALD_ERROR_MEMORY ? ALD_ERROR_MEMORY : ALD_OK);
    return ald_report_comparison(s->context, s->comparison, s->data, NULL, &s->svg, &s->error);
}

static void comparisons(void **state)
{
    (void)state;
    const plan classes = {
        .file = failing_input("c.csv", table),
        .method = "lda",
        .set = "n_components=1",
        .to = "c.ald",
        .load = {.target = "y", .id = "id"},
        .use = use_comparison,
    };
    failing_each(&classes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models),
        cmocka_unit_test(comparisons),
    };
    return failing_main(tests);
}
