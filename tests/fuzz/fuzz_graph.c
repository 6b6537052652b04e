#define FUZZ_SQUARE graph
#include "fuzz/fuzz_square.h"
