/* The head of an ARFF file: @relation, @attribute ... up to @data. */
#ifndef ALD_FORMATS_ARFF_HEADER_H
#define ALD_FORMATS_ARFF_HEADER_H

#include "io/formats/arff_scan.h"
#include "io/reading/input.h"
#include "io/table/table.h"

typedef enum ald_arff_kind { ALD_ARFF_NUMBER, ALD_ARFF_NOMINAL, ALD_ARFF_TEXT } ald_arff_kind;

typedef struct ald_arff_attribute {
    ald_arff_kind kind;
    int64_t n_levels;    /* nominal: how many the head declares */
    char *name, *levels; /* levels: "{a, b}" as the file has it */
    int64_t line_number;
} ald_arff_attribute;

typedef struct ald_arff_header {
    ald_arff_attribute *attributes; /* table->cols of them, in the scratch of the run */
    ald_levels *levels;
} ald_arff_header;

/* Reads up to and with the @data line; makes the columns of the table with their names and nominal levels. */
ald_status ald_arff_header_read(ald_run *run, ald_input *input, ald_table *table, ald_arff_header *header);

#endif
