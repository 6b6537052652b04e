#define FUZZ_READER ald_npy_reader
#include "fuzz/fuzz_table.h"
