#include "openapi.h"

// Standard since C23, and known to the compilers of Swift 6.2 and later.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char document[] = {
#embed "../../docs/openapi.yaml"
};

const unsigned char *graphd_openapi(void) { return document; }

size_t graphd_openapi_length(void) { return sizeof document; }
