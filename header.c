#include <alidade/version.h>
typedef int not_empty;
