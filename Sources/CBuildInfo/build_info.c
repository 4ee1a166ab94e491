#include "build_info.h"

const char *graphd_commit(void) { return GRAPHD_COMMIT; }
