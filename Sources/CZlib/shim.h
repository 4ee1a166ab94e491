/* The one door to zlib: `deflateInit2` is a macro, which Swift cannot call. */
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

/* Prepares `stream` for the gzip format. Returns Z_OK or an error. */
static inline int graphd_gzip_begin(z_streamp stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
