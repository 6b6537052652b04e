#include "support/card_bench.h"

#include <stdio.h>
#include <string.h>

static void keep_line(void *user, ald_log_level level, const char *line)
{
    card_bench *b = user;
    if (level != ALD_LOG_INFO) return;
    snprintf(b->log, sizeof b->log, "%s", line);
    b->notes += strstr(line, "the processor computes instead") != NULL;
}

void card_bench_begin(card_bench *b, int64_t rows, int64_t columns, int always)
{
    ald_error error;
    memset(b, 0, sizeof *b);
    if (rows > 0) {
        b->s = support_sample_make(rows, columns, 5);
        b->y = support_sample_target(&b->s, ALD_TARGET_CLASSES);
    }
    b->device = loops_device(&b->card, always);
    const ald_options options = {.size = sizeof options, .threads = 1, .log = keep_line, .log_user = b};
    assert_done(ald_context_new(&options, &b->context, &error), error);
    assert_done(ald_context_set_device(b->context, b->device, &error), error);
}

void card_bench_end(card_bench *b)
{
    assert_int_equal(b->card.standing, 0);
    ald_context_free(b->context);
    ald_device_close(b->device);
    support_sample_free(&b->s);
}
