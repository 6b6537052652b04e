#define FUZZ_READER ald_arff_reader
#include "fuzz/fuzz_table.h"
