#define FUZZ_READER ald_xlsx_reader
#include "fuzz/fuzz_table.h"
