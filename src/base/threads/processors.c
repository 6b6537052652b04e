/* Affinity, control groups and OMP_NUM_THREADS.
 *
 * A control group may run for `quota` microseconds of every `period`, all its threads together: quota /
 * period processors. Limits of the groups above hold too. The second version has both numbers in cpu.max, the
 * first one has a file for each; /proc/self/cgroup names the groups, one to a line:
 *
 *   0::/system.slice/job.service          second version, below /sys/fs/cgroup
 *   4:cpu,cpuacct:/docker/0123            first version, below /sys/fs/cgroup/cpu,cpuacct
 *
 * In a container the path may be the one outside, which is not there: then its parents are looked at, to the
 * root, which is the container's own. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/threads/processors.h"

#include "base/threads/crew.h"

#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ald_processors(void)
{
#if defined(__linux__)
    cpu_set_t own;
    if (sched_getaffinity(0, sizeof own, &own) == 0 && CPU_COUNT(&own) > 0) return CPU_COUNT(&own);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 && online < INT_MAX ? (int)online : 1;
}

/* How many of the `count` numbers a file begins with, as for "50000 100000". */
static int read_numbers(const char *path, int count, double *numbers)
{
    char text[64];
    int got = 0;
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    if (fgets(text, sizeof text, file))
        got = sscanf(text, count == 2 ? "%lf %lf" : "%lf", numbers, numbers + 1);
    fclose(file);
    return got;
}

/* Processors that the group in this folder allows; infinity: no limit, or no such group. */
static double quota_in(const char *folder)
{
    char path[2 * PATH_MAX];
    double numbers[2] = {0.0}, period[2] = {0.0};
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    int known = read_numbers(path, 2, numbers) == 2;
    if (!known) {
        snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
        known = read_numbers(path, 1, numbers) == 1;
        snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
        known = known && read_numbers(path, 1, period) == 1;
        numbers[1] = period[0];
    }
    return known && numbers[0] > 0.0 && numbers[1] > 0.0 ? numbers[0] / numbers[1] : INFINITY;
}

/* The least of a group and all above it; `folder` is shortened to `top` characters. */
static double quota_up_to(char *folder, size_t top)
{
    double least = INFINITY;
    for (;;) {
        least = fmin(least, quota_in(folder));
        char *slash = strrchr(folder, '/');
        if (strlen(folder) <= top || !slash) return least;
        *(slash < folder + top ? folder + top : slash) = '\0';
    }
}

/* Whether a list of controllers, as "cpu,cpuacct", has the one for processors; the second version lists
 * none. */
static int has_processors(const char *controllers)
{
    const size_t length = strcspn(controllers, ":");
    if (length == 0) return 1;
    for (const char *at = controllers; at < controllers + length; at += strcspn(at, ",:") + 1)
        if (strcspn(at, ",:") == 3 && strncmp(at, "cpu", 3) == 0) return 1;
    return 0;
}

/* By one line of /proc/self/cgroup. */
static double quota_of(const char *root, const char *line)
{
    const char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
    char folder[PATH_MAX];
    if (!path || !has_processors(controllers + 1)) return INFINITY;
    const int width = (int)(path - controllers - 1);
    const int top = snprintf(folder, sizeof folder, "%s/sys/fs/cgroup%s%.*s", root, width > 0 ? "/" : "",
                             width, controllers + 1);
    if (top < 0 || (size_t)top + strlen(path) >= sizeof folder) return INFINITY;
    snprintf(folder + top, sizeof folder - (size_t)top, "%.*s", (int)strcspn(path + 1, "\n"), path + 1);
    return quota_up_to(folder, (size_t)top);
}

int ald_quota_below(const char *root)
{
    char path[PATH_MAX], line[PATH_MAX];
    double least = INFINITY;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) least = fmin(least, quota_of(root, line));
    fclose(file);
    return least < INT_MAX ? (int)ceil(least) : 0;
}

/* Read once: a context should cost nothing. */
static int quota;

static void find_quota(void)
{
    quota = ald_quota_below("");
}

int ald_default_threads(void)
{
    static pthread_once_t found = PTHREAD_ONCE_INIT;
    const char *text = getenv("OMP_NUM_THREADS");
    const long given = text ? strtol(text, NULL, 10) : 0;
    const int processors = ald_processors();
    pthread_once(&found, find_quota);
    const int threads = quota > 0 && quota < processors ? quota : processors;
    if (given > 0) return given < ALD_MOST_PARTS ? (int)given : ALD_MOST_PARTS;
    return threads < ALD_MOST_PARTS ? threads : ALD_MOST_PARTS;
}
