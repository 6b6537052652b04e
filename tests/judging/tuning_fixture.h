/* What the tests of tuning share. */
#ifndef TESTS_JUDGING_TUNING_FIXTURE_H
#define TESTS_JUDGING_TUNING_FIXTURE_H

#include "judge/cells/folds.h"
#include "judge/compare/comparison.h"
#include "support/comparing.h"
#include "support/fitting.h"
#include "support/storages.h"

enum { n = 600, d = 6 };

static const int64_t dims[] = {1, 2, 3};

#endif
