/* https://libexpat.github.io/doc/api/latest/ */
#ifndef CEXPAT_SHIM_H
#define CEXPAT_SHIM_H

#include <expat.h>

/* Returns the line of the current event, from 1. Expat 2.9 deprecates the function that returns XML_Size. */
static inline unsigned long long cexpat_line(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
  return XML_GetCurrentLineNumber64(parser);
#else
  return XML_GetCurrentLineNumber(parser);
#endif
}

#endif
