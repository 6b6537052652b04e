/* Options as other programs call them. */
#include "cli.h"

#include <string.h>

/* Names that mean something of their own to a verb. */
static const struct {
    const char *verb, *foreign, *here;
} names_for_a_verb[] = {
    {"dimension", "alpha", "level"},
};

/* Several names may mean one option, and none means two. */
static const struct {
    const char *foreign, *here;
} names[] = {
    {"ncomp", "components"},
    {"n-comp", "components"},
    {"ncomps", "components"},
    {"nf", "components"},
    {"n-dims", "components"},
    {"ndim", "components"},
    {"rank", "components"},
    {"cv", "folds"},
    {"kfold", "folds"},
    {"k-fold", "folds"},
    {"nfolds", "folds"},
    {"n-folds", "folds"},
    {"n-splits", "folds"},
    {"segments", "folds"},
    {"nrepeat", "repeats"},
    {"n-repeats", "repeats"},
    {"n-jobs", "threads"},
    {"nthread", "threads"},
    {"nthreads", "threads"},
    {"ncores", "threads"},
    {"random-seed", "seed"},
    {"set-seed", "seed"},
    {"label", "target"},
    {"labels", "target"},
    {"response", "target"},
    {"outcome", "target"},
    {"y-column", "target"},
    {"exclude", "ignore"},
    {"drop", "ignore"},
    {"drop-columns", "ignore"},
    {"index-col", "id"},
    {"row-names", "id"},
    {"rownames", "id"},
    {"sample-weight", "weights"},
    {"case-weights", "weights"},
    {"sep", "delimiter"},
    {"separator", "delimiter"},
    {"dec", "decimal"},
    {"na-strings", "na"},
    {"na-values", "na"},
    {"standardize", "scale"},
    {"normalize", "scale"},
    {"scaling", "scale"},
    {"lambda", "ridge"},
    {"alpha", "ridge"},
    {"shrinkage", "ridge"},
    {"gamma", "kernel-width"},
    {"sigma", "kernel-width"},
    {"bandwidth", "kernel-width"},
    {"nslices", "n-slices"},
    {"scoring", "metric"},
    {"test-size", "train"},
    {"train-size", "train"},
    {"strata", "stratify"},
    {"param-grid", "grid"},
    {"tune-grid", "grid"},
    {"type", "task"},
    {"classifier", "predictor"},
    {"model", "method"},
    {"algorithm", "method"},
    {"out", "output"},
    {"outfile", "output"},
    {"save", "output"},
};

const char *cli_foreign_name(const char *verb, const char *name)
{
    for (size_t i = 0; i < sizeof names_for_a_verb / sizeof *names_for_a_verb; i++)
        if (strcmp(names_for_a_verb[i].verb, verb) == 0 && cli_name_equal(names_for_a_verb[i].foreign, name))
            return names_for_a_verb[i].here;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (cli_name_equal(names[i].foreign, name)) return names[i].here;
    return NULL;
}
