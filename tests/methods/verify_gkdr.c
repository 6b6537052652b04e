#include "methods/verifier.h"
const verifier verifier_gkdr = {0};
