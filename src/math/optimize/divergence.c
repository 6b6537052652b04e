/* The divergences, each a value with its first and second derivative by D (divergence.h). */
#include "math/optimize/divergence.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static double squared(double d, double t)
{
    return (d - t) * (d - t);
}

static double squared_slope(double d, double t)
{
    return 2.0 * (d - t);
}

static double squared_curvature(double d, double t)
{
    (void)d;
    (void)t;
    return 2.0;
}

static double kl(double d, double t)
{
    return t * log(t / d) - t + d;
}

static double kl_slope(double d, double t)
{
    return 1.0 - t / d;
}

static double kl_curvature(double d, double t)
{
    return t / (d * d);
}

static double itakura_saito(double d, double t)
{
    return t / d - log(t / d) - 1.0;
}

static double itakura_saito_slope(double d, double t)
{
    return (1.0 - t / d) / d;
}

static double itakura_saito_curvature(double d, double t)
{
    return (2.0 * t / d - 1.0) / (d * d);
}

const ald_divergence *ald_divergence_find(const char *name)
{
    static const ald_divergence table[] = {
        {"squared", 1, squared, squared_slope, squared_curvature},
        {"kl", 0, kl, kl_slope, kl_curvature},
        {"itakura-saito", 0, itakura_saito, itakura_saito_slope, itakura_saito_curvature},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}
