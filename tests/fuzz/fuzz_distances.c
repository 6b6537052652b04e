#define FUZZ_SQUARE target_distances
#include "fuzz/fuzz_square.h"
