#define FUZZ_READER ald_svmlight_reader
#include "fuzz/fuzz_table.h"
