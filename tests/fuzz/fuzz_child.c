/* The fuzz target for what a process sends that has read a table for us: it may have been taken over by the
 * file. The bytes are the letter; a head of small numbers is made for those that have none. */
#include "fuzz/fuzzing.h"
#include "io/reading/table_child.c" /* for receive_table, which nobody else needs */

#include <sys/syscall.h>

static void receive_bytes(const void *head, size_t head_size, const uint8_t *bytes, size_t size)
{
    static int file = -1;
    const ald_context context = fuzzing_context();
    ald_run run;
    ald_error error;
    if (file < 0) file = (int)syscall(SYS_memfd_create, "letter", 0);
    if (file < 0 || ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0) abort();
    if (write(file, head, head_size) != (ssize_t)head_size || write(file, bytes, size) != (ssize_t)size)
        abort();
    lseek(file, 0, SEEK_SET);
    ald_run_begin(&run, &context, &error);
    ald_table table = {.arena = &run.scratch, .source = "fuzz"};
    const ald_status status = receive_table(&run, file, &table);
    fuzzing_expect_message(status, &error);
    ald_run_end(&run, status);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    enum { numbers = 5 };
    letter first = {.message = "no message"};
    int64_t *const numbered[numbers] = {
        &first.status, &first.rows, &first.cols, &first.sparse, &first.targets,
    };
    if (size % 4 == 0 || size < numbers) {
        receive_bytes(NULL, 0, bytes, size);
        return 0;
    }
    for (int k = 0; k < numbers; k++) *numbered[k] = (int8_t)bytes[k];
    receive_bytes(&first, sizeof first, bytes + numbers, size - numbers);
    return 0;
}
