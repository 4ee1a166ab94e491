#ifndef GRAPHD_CLOSE_FROM_H
#define GRAPHD_CLOSE_FROM_H

#include <spawn.h>

/// Makes the started program close every descriptor from `first` on; the error number, or 0. Swift does not see
/// the function of glibc that does it, an extension of POSIX.
int graphd_close_from(posix_spawn_file_actions_t *actions, int first);

#endif
