/* What must be settled before any library is started. OpenBLAS starts its threads while it is loaded, and
 * ends or hangs the program where it cannot. The functions of .preinit_array run before that: where address
 * space or threads are limited, the program starts itself again with OpenBLAS set to one thread. A number
 * that was set already stays. Elsewhere than on Linux with ELF nothing of this is done. */
#if defined(__linux__) && defined(__ELF__) && !defined(ALD_SANITIZED)
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { most_words = 4096, few_threads = 1024 };

static char setting[] = "OPENBLAS_NUM_THREADS=1";

static int is_set(char *const *environment)
{
    const size_t name = sizeof setting - 2; /* with the equals sign */
    for (; *environment; environment++)
        if (strncmp(*environment, setting, name) == 0) return 1;
    return 0;
}

/* The number a file of the system begins with; -1: none, or "max". */
static long number_in(const char *path)
{
    char text[32] = "";
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    const ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    return got > 0 && text[0] >= '0' && text[0] <= '9' ? strtol(text, NULL, 10) : -1;
}

static int threads_are_few(void)
{
    static const char *const limits[] = {"/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max"};
    struct rlimit limit;
    if (getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur < few_threads) return 1;
    for (int i = 0; i < 2; i++) {
        const long most = number_in(limits[i]);
        if (most >= 0 && most < few_threads) return 1;
    }
    return 0;
}

static int is_limited(void)
{
    struct rlimit limit;
    return (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) || threads_are_few();
}

static void start_again(int argc, char **argv, char **environment)
{
    static char *changed[most_words + 2];
    int count = 0;
    (void)argc;
    if (is_set(environment) || !is_limited()) return;
    for (; environment[count] && count < most_words; count++) changed[count] = environment[count];
    if (environment[count]) return;
    changed[count] = setting;
    execve("/proc/self/exe", argv, changed); /* if it fails, continue without */
}

__attribute__((section(".preinit_array"), used)) static void (*const before_libraries)(int, char **,
                                                                                       char **) = start_again;
#else
typedef int cli_nothing_early;
#endif
