#define FUZZ_READER ald_matrixmarket_reader
#include "fuzz/fuzz_table.h"
