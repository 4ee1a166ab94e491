/* The one door to libpq. Declared without `pkgConfig:`, because Debian keeps the header in one place on every version. */
#ifndef CPQ_SHIM_H
#define CPQ_SHIM_H

#include <postgresql/libpq-fe.h>

#endif
