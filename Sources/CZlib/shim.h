/* https://zlib.net/manual.html */
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

/* inflateInit2 is a macro. 16 is for the format of gzip. */
static inline int czlib_begin_gzip(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }

#endif
