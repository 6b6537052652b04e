#include "methods/verifier.h"
static void v(const ald_model *m, const prepared *p) { (void)m; (void)p; }
const verifier verifier_kspca = {.verify = v};
