/* What lies in a folder of data under the name of a library: it leaves a file when it is loaded. */
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void begin(void)
{
    const int file = open("planted-was-loaded", O_WRONLY | O_CREAT, 0600);
    if (file >= 0) close(file);
}
