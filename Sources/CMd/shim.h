/* https://www.hadrons.org/software/libmd/ */
#include <sys/types.h>
#include <stdint.h>
#include <sha2.h>
