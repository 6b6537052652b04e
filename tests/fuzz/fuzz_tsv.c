#define FUZZ_READER ald_tsv_reader
#include "fuzz/fuzz_table.h"
