/* xoshiro256** and what is drawn with it: uniform and normal numbers, permutations, samples. */
#include "base/numbers/random.h"

#include <math.h>

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void ald_random_seed(ald_random *random, uint64_t seed, uint64_t stream)
{
    uint64_t state = seed;
    state = splitmix(&state) ^ (stream * UINT64_C(0xd1342543de82ef95));
    for (int i = 0; i < 4; i++) random->state[i] = splitmix(&state);
    random->has_spare = 0;
    random->spare = 0.0;
}

static uint64_t rotate(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

uint64_t ald_random_bits(ald_random *random)
{
    uint64_t *s = random->state;
    const uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double ald_random_uniform(ald_random *random)
{
    return (double)(ald_random_bits(random) >> 11) * 0x1p-53;
}

/* ln x = e ln 2 + 2 atanh((m - 1) / (m + 1)) with m in [1/sqrt 2, sqrt 2): the series ends below 1e-17 after
 * 13 terms. The C library's log may differ in the last bit from one version to the next; this may not. */
static double portable_log(double x)
{
    int e;
    double m = frexp(x, &e);
    if (m < 0x1.6a09e667f3bcdp-1) {
        m *= 2.0;
        e--;
    }
    const double s = (m - 1.0) / (m + 1.0), q = s * s;
    double sum = 0.0;
    for (int k = 25; k >= 1; k -= 2) sum = sum * q + 1.0 / k;
    return e * 0x1.62e42fefa39efp-1 + 2.0 * s * sum;
}

double ald_random_normal(ald_random *random)
{
    if (random->has_spare) {
        random->has_spare = 0;
        return random->spare;
    }
    double u, v, q;
    do {
        u = 2.0 * ald_random_uniform(random) - 1.0;
        v = 2.0 * ald_random_uniform(random) - 1.0;
        q = u * u + v * v;
    } while (q >= 1.0 || q == 0.0);
    const double factor = sqrt(-2.0 * portable_log(q) / q);
    random->spare = v * factor;
    random->has_spare = 1;
    return u * factor;
}

int64_t ald_random_below(ald_random *random, int64_t bound)
{
    const uint64_t limit = UINT64_MAX - UINT64_MAX % (uint64_t)bound;
    uint64_t bits;
    do bits = ald_random_bits(random);
    while (bits >= limit);
    return (int64_t)(bits % (uint64_t)bound);
}

void ald_random_permutation(ald_random *random, int64_t n, int64_t *order)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t j = ald_random_below(random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}
