/* Every allocation of fits that write a checkpoint, and go on with one, is made to fail once: each time the
 * call says so and no block is left. */
#include "base/core/context.h"
#include "support/failing.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A fit that leaves its checkpoint, and the same again, which goes on with it. Without the file of the
 * checkpoint those beside it do not count. */
static ald_status fit_twice(const plan *p, session *s)
{
    ald_load_options load = p->load;
    int64_t rows;
    load.size = sizeof load;
    STEP(failing_settings(p, s));
    STEP(ald_dataset_survey(s->context, p->file, &load, &s->data, &rows, &s->error));
    STEP(ald_fit_stream(s->context, s->settings, p->file, &load, s->data, &s->model, &s->error));
    STEP(ald_dataset_survey(s->context, p->file, &load, &s->again, &rows, &s->error));
    STEP(ald_fit_stream(s->context, s->settings, p->file, &load, s->again, &s->loaded, &s->error));
    return ald_checkpoint_remove(s->context, load.checkpoint, &s->error);
}

static ald_status use_a_checkpoint(const plan *p, session *s)
{
    unlink(p->load.checkpoint);
    STEP(failing_context(s, 1));
    return fit_twice(p, s);
}

/* Four columns are too many for a square of them. */
static ald_status use_a_checkpoint_of_passes(const plan *p, session *s)
{
    unlink(p->load.checkpoint);
    STEP(failing_context(s, 1));
    s->context->most_square = 2;
    return fit_twice(p, s);
}

static void checkpoints(void **state)
{
    (void)state;
    char path[600];
    snprintf(path, sizeof path, "%s", failing_input("state", ""));
    plan p = {
        failing_input("j.csv", "u,v,colour,y\n1,2,red,a\n2,1,blue,b\n3,2,red,a\n4,4,green,b\n5,1,red,b\n"),
        "lda",
        "n_components=1 scale=standard ridge=1",
        "out.tsv",
        {
            .target = "y",
            .block_bytes = 30,
            .keep_rows = "none",
            .checkpoint = path,
            .checkpoint_seconds = 1e-9,
        },
        NULL,
        use_a_checkpoint,
    };
    failing_each(&p);
    p.use = use_a_checkpoint_of_passes;
    p.set = "n_components=1 ridge=1 solver=two-stage tol=1e-2";
    failing_each(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(checkpoints)};
    return failing_main(tests);
}
