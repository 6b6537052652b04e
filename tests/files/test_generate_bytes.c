/* The same seed gives the same bytes for ever, and a longer set begins with the shorter one. */
#include "generating.h"

#include <string.h>

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t checksum(const ald_table *t)
{
    const uint64_t start = UINT64_C(0xcbf29ce484222325);
    if (!t->sparse) return add_bytes(start, t->cells, (size_t)(t->rows * t->cols) * sizeof *t->cells);
    uint64_t hash = add_bytes(start, t->values, (size_t)t->pointers[t->rows] * sizeof *t->values);
    hash = add_bytes(hash, t->indices, (size_t)t->pointers[t->rows] * sizeof *t->indices);
    return add_bytes(hash, t->label_values, (size_t)t->label_pointers[t->rows] * sizeof *t->label_values);
}

/* Made once on x86-64; little-endian doubles. A change here changes published data: do not. */
static const struct {
    const char *name;
    uint64_t sum;
} pinned[] = {
    {"plane", UINT64_C(0xe42ace6f4734d3a4)},        {"linear", UINT64_C(0xf0488509b85cd7eb)},
    {"parity", UINT64_C(0xcdbe19d99a8bb0f5)},       {"curve", UINT64_C(0x32c5a4d7b661d5cf)},
    {"curve-paper", UINT64_C(0xe01c30cf61236414)},  {"taichi", UINT64_C(0xcb778bd5abf579a0)},
    {"xor", UINT64_C(0x90f80888eb08e357)},          {"rings", UINT64_C(0x679e81293f19a671)},
    {"rectangles", UINT64_C(0xf79caf28b4454e80)},   {"regression-a", UINT64_C(0x0e64aa1aff6f5028)},
    {"regression-b", UINT64_C(0x1ff83ee6943dcd40)}, {"regression-c", UINT64_C(0x602c8ba54c7caa72)},
    {"rational", UINT64_C(0xfc2f18dc006f6354)},     {"quadratic", UINT64_C(0x5b8d407f9ca7f08b)},
    {"syn1", UINT64_C(0xd5930f08002f0bc2)},         {"syn2", UINT64_C(0x4219593c88d83979)},
    {"syn3", UINT64_C(0x916fe1be267913f5)},         {"syn4", UINT64_C(0x426cb653b7fc0462)},
    {"rcv1", UINT64_C(0x51e5c18052d0554f)},
};

static void test_same_bytes_for_ever(void **state)
{
    (void)state;
    int wrong = 0;
    assert_int_equal(sizeof pinned / sizeof *pinned, ald_generator_count());
    for (size_t k = 0; k < sizeof pinned / sizeof *pinned; k++) {
        reading r;
        make(&r, pinned[k].name, (ald_generate_options){.n = 50, .seed = 7});
        const uint64_t sum = checksum(&r.table);
        if (sum != pinned[k].sum) {
            print_error("{\"%s\", UINT64_C(0x%016llx)},\n", pinned[k].name, (unsigned long long)sum);
            wrong++;
        }
        reading_end(&r);
    }
    assert_int_equal(wrong, 0);
}

/* A longer set begins with the shorter one; another seed is another set. */
static void test_rows_have_their_own_streams(void **state)
{
    (void)state;
    reading a, b;
    make(&a, "parity", (ald_generate_options){.n = 10, .seed = 3});
    make(&b, "parity", (ald_generate_options){.n = 20, .seed = 3});
    assert_memory_equal(a.table.cells, b.table.cells, 10 * 6 * sizeof(double));
    reading_end(&b);
    make(&b, "parity", (ald_generate_options){.n = 10, .seed = 4});
    assert_true(memcmp(a.table.cells, b.table.cells, 10 * 6 * sizeof(double)) != 0);
    reading_end(&a);
    reading_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bytes_for_ever),
        cmocka_unit_test(test_rows_have_their_own_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
