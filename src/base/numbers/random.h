/* Random numbers that are the same on every machine: xoshiro256** seeded by splitmix64, normals by the polar
 * method with a logarithm made of additions, products and quotients only. */
#ifndef ALD_NUMBERS_RANDOM_H
#define ALD_NUMBERS_RANDOM_H

#include <stdint.h>

typedef struct ald_random {
    uint64_t state[4];
    double spare; /* second normal of the last pair */
    int has_spare;
} ald_random;

/* Streams of one seed are independent: a start, a split, a resample takes the next one. */
void ald_random_seed(ald_random *random, uint64_t seed, uint64_t stream);
uint64_t ald_random_bits(ald_random *random);
/* Uniform on [0, 1), 53 bits. */
double ald_random_uniform(ald_random *random);
/* Standard normal. */
double ald_random_normal(ald_random *random);
/* Uniform on 0 .. bound - 1, without bias; bound >= 1. */
int64_t ald_random_below(ald_random *random, int64_t bound);
/* A random order of 0 .. n - 1. */
void ald_random_permutation(ald_random *random, int64_t n, int64_t *order);

#endif
