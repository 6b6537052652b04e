/* How many threads there are by default: control groups of both versions, from trees of files made here;
 * affinity; OMP_NUM_THREADS. Limits of processors and memory are read once, not for each context. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "support/support.h"

#include "base/threads/processors.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { most_files = 6 };

typedef struct tree {
    const char *name;
    int expected;
    const char *files[most_files][2]; /* path and text; the end is NULL */
} tree;

static const tree trees[] = {
    {"no groups", 0, {{"proc/self/other", ""}}},
    {"no limit", 0, {{"proc/self/cgroup", "0::/\n"}, {"sys/fs/cgroup/cpu.max", "max 100000\n"}}},
    {"half", 1, {{"proc/self/cgroup", "0::/\n"}, {"sys/fs/cgroup/cpu.max", "50000 100000\n"}}},
    {"one and a half", 2, {{"proc/self/cgroup", "0::/\n"}, {"sys/fs/cgroup/cpu.max", "150000 100000\n"}}},
    {"of a service",
     3,
     {
         {"proc/self/cgroup", "0::/system.slice/job.service\n"},
         {"sys/fs/cgroup/system.slice/job.service/cpu.max", "300000 100000\n"},
         {"sys/fs/cgroup/system.slice/cpu.max", "max 100000\n"},
     }},
    {"of the slice above",
     2,
     {
         {"proc/self/cgroup", "0::/system.slice/job.service\n"},
         {"sys/fs/cgroup/system.slice/job.service/cpu.max", "max 100000\n"},
         {"sys/fs/cgroup/system.slice/cpu.max", "200000 100000\n"},
     }},
    {"first version",
     2,
     {
         {"proc/self/cgroup", "9:memory:/a\n4:cpu,cpuacct:/docker/0123\n1:cpuset:/b\n"},
         {"sys/fs/cgroup/cpu,cpuacct/docker/0123/cpu.cfs_quota_us", "200000\n"},
         {"sys/fs/cgroup/cpu,cpuacct/docker/0123/cpu.cfs_period_us", "100000\n"},
         {"sys/fs/cgroup/cpuset/b/cpu.max", "10000 100000\n"},
     }},
    {"first version, no limit",
     0,
     {
         {"proc/self/cgroup", "4:cpu:/\n"},
         {"sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"},
         {"sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"},
     }},
    {"the path outside of a container",
     1,
     {
         {"proc/self/cgroup", "4:cpu,cpuacct:/docker/0123\n"},
         {"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n"},
         {"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"},
     }},
    {"not numbers", 0, {{"proc/self/cgroup", "0::/\nnonsense\n"}, {"sys/fs/cgroup/cpu.max", "many few\n"}}},
};

static void write_file(const char *root, const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s/%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void quotas_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        char root[] = "tree-XXXXXX";
        assert_non_null(mkdtemp(root));
        for (int k = 0; k < most_files && trees[i].files[k][0]; k++)
            write_file(root, trees[i].files[k][0], trees[i].files[k][1]);
        const int found = ald_quota_below(root);
        if (found != trees[i].expected)
            fail_msg("%s: %d instead of %d", trees[i].name, found, trees[i].expected);
    }
}

static int threads_of_context(void)
{
    ald_context *context = support_context(0, NULL);
    const int threads = ald_context_threads(context);
    ald_context_free(context);
    return threads;
}

static void affinity_and_the_environment_decide(void **state)
{
    (void)state;
    cpu_set_t before, one;
    unsetenv("OMP_NUM_THREADS");
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_true(threads_of_context() <= CPU_COUNT(&before));
    CPU_ZERO(&one);
    for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(threads_of_context(), 1);
    setenv("OMP_NUM_THREADS", "3,2", 1);
    assert_int_equal(threads_of_context(), 3);
    setenv("OMP_NUM_THREADS", "none", 1);
    assert_int_equal(threads_of_context(), 1);
    setenv("OMP_NUM_THREADS", "9999999", 1);
    assert_int_equal(threads_of_context(), 256);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

/* Calls that read, as Linux counts them; to look takes some itself, the same each time. */
static long long calls_of_read(void)
{
    long long count = -1;
    char line[100];
    FILE *file = fopen("/proc/self/io", "r");
    while (file && fgets(line, sizeof line, file)) sscanf(line, "syscr: %lld", &count);
    if (file) fclose(file);
    return count;
}

static void a_context_reads_no_file(void **state)
{
    (void)state;
    ald_context_free(support_context(0, NULL));
    const long long before = calls_of_read(), looked = calls_of_read();
    if (before < 0) skip();
    ald_context_free(support_context(0, NULL));
    assert_int_equal(calls_of_read() - looked, looked - before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotas_are_read),
        cmocka_unit_test(affinity_and_the_environment_decide),
        cmocka_unit_test(a_context_reads_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
