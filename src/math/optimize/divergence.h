/* How far squared distances D are from the wanted ones T: what is summed over the pairs. Each is 0 at D = T
 * and grows away from it. Those that are not finite at D = 0 are taken of D + floor and T + floor. */
#ifndef ALD_OPTIMIZE_DIVERGENCE_H
#define ALD_OPTIMIZE_DIVERGENCE_H

typedef struct ald_divergence {
    const char *name;
    int quartic; /* a polynomial: the line search is exact */
    double (*value)(double d, double t);
    double (*slope)(double d, double t);     /* by D */
    double (*curvature)(double d, double t); /* by D twice */
} ald_divergence;

/* "squared" (D - T)^2, "kl" T log(T/D) - T + D, "itakura-saito" T/D - log(T/D) - 1; NULL for another name. */
const ald_divergence *ald_divergence_find(const char *name);

#endif
