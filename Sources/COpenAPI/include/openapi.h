#include <stddef.h>

/// The bytes of docs/openapi.yaml, as they were at the build. As an array in Swift they would take minutes to compile.
const unsigned char *graphd_openapi(void);

/// The number of these bytes.
size_t graphd_openapi_length(void);
