/* A model file and rows that are read like those it was fitted on, for the targets that do something with
 * them. The columns are those of the corpus. */
#ifndef ALD_TESTS_MODEL_ROWS_H
#define ALD_TESTS_MODEL_ROWS_H

#include "data/encode/dataset.h"
#include "fuzz/model_mutator.h"
#include "io/reading/reader.h"

#include <alidade/alidade.h>

static const char *const model_tables[] = {
    "a,b,c,y\n1,2.5,p,u\n-2,1e3,q,v\n0,0,p,u\n3,1,q,v\n",
    "a,b,c,y\n1,2.5,q,1.5\n-2,1e3,p,2\n0,0.25,p,-1\n4,,p,7\n",
    "c,b,a,u,v\np,1,2,0,1\nq,3,1,1,1\nr,2,2,1,0\n",
    "1,2.5,3\n4,-1,0.5\n",
};
enum { n_model_tables = sizeof model_tables / sizeof *model_tables };

/* The dataset is the caller's to free, also after a failure. */
static ald_status model_rows(ald_run *run, const ald_model *model, size_t table_number, ald_dataset **dataset)
{
    const char *text = model_tables[table_number % n_model_tables];
    const ald_load_options options = {
        .like = model,
        .missing = "mean",
        .with_weights = (int)(table_number % 2),
        .new_classes = 1,
    };
    ald_input *input;
    ALD_TRY(ald_dataset_new(run, dataset));
    ald_table table = {.arena = &(*dataset)->memory, .source = "fuzz"};
    ALD_TRY(ald_input_memory(run, text, strlen(text), &input));
    ald_status status = ald_csv_reader.read(run, input, &options, &table);
    ald_input_close(input);
    if (status >= 0) status = ald_dataset_from_table(run, &table, &options, *dataset);
    return status;
}

/* Of the first table that can be read like those of the model, from this number on. */
static inline ald_status model_rows_found(ald_context *context, const ald_model *model, size_t from,
                                          ald_dataset **dataset, ald_error *error)
{
    ald_status status = ALD_OK;
    for (size_t k = 0; k < n_model_tables; k++) {
        ald_run run;
        ald_run_begin(&run, context, error);
        status = ald_run_end(&run, model_rows(&run, model, from + k, dataset));
        if (status >= 0) break;
        ald_dataset_free(*dataset);
        *dataset = NULL;
    }
    return status;
}

#endif
