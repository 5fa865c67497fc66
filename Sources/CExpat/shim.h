/* https://libexpat.github.io/doc/api/latest/ */
#ifndef CEXPAT_SHIM_H
#define CEXPAT_SHIM_H

#include <expat.h>

#endif
