/* Synthetic sets for the tests. */
#ifndef TESTS_FILES_GENERATING_H
#define TESTS_FILES_GENERATING_H

#include "base/core/memory.h"
#include "io/generating/generate.h"
#include "support/reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static inline ald_status try_make(reading *r, const char *name, const ald_generate_options *options)
{
    const ald_generator *generator;
    ALD_TRY(ald_generator_find(&r->run, name, &generator));
    return ald_generate_table(&r->run, generator, options, &r->arena, &r->table);
}

static inline void make(reading *r, const char *name, ald_generate_options options)
{
    reading_begin(r);
    if (try_make(r, name, &options) < 0) fail_msg("%s: %s", name, r->error.message);
}

#endif
