#define FUZZ_READER ald_csv_reader
#include "fuzz/fuzz_table.h"
