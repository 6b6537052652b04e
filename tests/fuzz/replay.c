/* Runs a fuzz target over files, for builds without libFuzzer: replay FILE_OR_FOLDER...
 * Where the target has mutations of its own, some of each file are run as well. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
/* NULL in targets that have none. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed) __attribute__((weak));
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room);

enum { mutants = 16, more_room = 1024 };

/* A changed bit, a byte more, or the last one less. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room)
{
    static unsigned seed = 1;
    seed = seed * 1103515245u + 12345u;
    const unsigned number = seed >> 8;
    if (size == 0 || number % 8 == 0) {
        if (size < room) bytes[size++] = (uint8_t)(number >> 3);
    } else if (number % 8 == 1 && size > 1) {
        size--;
    } else {
        bytes[number / 8 % size] ^= (uint8_t)(1u << number % 8);
    }
    return size;
}

/* Each one begins with the one before. */
static int replay_mutants(const uint8_t *bytes, size_t size)
{
    const size_t room = size + more_room;
    if (!LLVMFuzzerCustomMutator) return 1;
    uint8_t *changed = malloc(room);
    if (!changed) return 0;
    memcpy(changed, bytes, size);
    for (unsigned k = 0; k < mutants; k++) {
        size = LLVMFuzzerCustomMutator(changed, size, room, 2654435761u * (k + 1));
        uint8_t *exact = malloc(size ? size : 1);
        if (exact) memcpy(exact, changed, size);
        if (exact) LLVMFuzzerTestOneInput(exact, size);
        free(exact);
    }
    free(changed);
    return 1;
}

static int fail(const char *path)
{
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return -1;
}

/* The copy is exactly as large as the file, so that a sanitizer sees each step too far. */
static int replay_bytes(FILE *file, size_t size)
{
    uint8_t *bytes = malloc(size ? size : 1);
    int complete = bytes && fread(bytes, 1, size, file) == size;
    if (complete) LLVMFuzzerTestOneInput(bytes, size);
    if (complete) complete = replay_mutants(bytes, size);
    free(bytes);
    return complete ? 1 : -1;
}

static int replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    if (!file) return fail(path);
    const int done = replay_bytes(file, size);
    fclose(file);
    return done < 0 ? fail(path) : done;
}

static int replay_path(const char *path);

/* The number of files, or -1. */
static int replay_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) return fail(path);
    int count = 0;
    for (const struct dirent *entry; count >= 0 && (entry = readdir(folder));) {
        char name[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        const int done = replay_path(name);
        count = done < 0 ? done : count + done;
    }
    closedir(folder);
    return count;
}

static int replay_path(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) return fail(path);
    return S_ISDIR(about.st_mode) ? replay_folder(path) : replay_file(path, (size_t)about.st_size);
}

int main(int count, char **paths)
{
    int files = 0;
    for (int k = 1; k < count; k++) {
        const int done = replay_path(paths[k]);
        if (done < 0) return 1;
        files += done;
    }
    printf("%d inputs\n", files);
    return files > 0 ? 0 : 1; /* a corpus that is not there must not pass */
}
