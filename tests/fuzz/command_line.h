/* The command line inside the process, for the targets that run it: main is a function, and what it prints
 * goes nowhere. Included once. */
#ifndef ALD_TESTS_COMMAND_LINE_H
#define ALD_TESTS_COMMAND_LINE_H

#include "fuzz/fuzzing.h"

#include <unistd.h>

#define main command_line_main
#define execv(path, arguments) ((void)(arguments)) /* it stays in this process */
#include "main.c"
#undef execv
#undef main
#include "progress.c" /* for the signal that it has caught */

/* libFuzzer then keeps its own messages apart from those of the program. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static char quiet[] = "-close_fd_mask=3";
    char **longer = malloc(((size_t)*argc + 2) * sizeof *longer);
    if (!longer) abort();
    memcpy(longer, *argv, (size_t)*argc * sizeof *longer);
    longer[(*argc)++] = quiet;
    longer[*argc] = NULL;
    *argv = longer;
    return 0;
}

#endif
