/* The version of this header; ald_version() returns that of the library in use. */
#ifndef ALIDADE_VERSION_H
#define ALIDADE_VERSION_H

#define ALD_VERSION_MAJOR 0
#define ALD_VERSION_MINOR 1
#define ALD_VERSION_PATCH 0
#define ALD_VERSION "0.1.0"

#endif
