#include "methods/verifier.h"
const verifier verifier_kdr = {0};
