/* The one door to libhiredis. Declared without `pkgConfig:` because Debian's .pc file makes SwiftPM warn. */
#ifndef CHIREDIS_SHIM_H
#define CHIREDIS_SHIM_H

#include <hiredis/hiredis.h>

#endif
