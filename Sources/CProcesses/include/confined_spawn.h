#ifndef GRAPHD_CONFINED_SPAWN_H
#define GRAPHD_CONFINED_SPAWN_H

#include <stdint.h>
#include <sys/types.h>

/// The limits of a confined program. It also has no network, starts no processes and reaches into no other.
struct graphd_confinement {
    /// Bytes of address space (RLIMIT_AS).
    uint64_t memory;
    /// Seconds of processor time (RLIMIT_CPU).
    uint64_t processor_seconds;
    /// Bytes of the largest file that it writes (RLIMIT_FSIZE).
    uint64_t file_bytes;
    /// Number of open files (RLIMIT_NOFILE).
    uint64_t open_files;
};

/// Starts a program under limits, with `files` as its standard files, no signal ignored or blocked, and no other
/// descriptor. Returns 0 and the process id in `child`, which the caller reaps; or the error number.
///
/// posix_spawn can set no limits. Like it, this borrows the memory of the calling process until the program runs.
int graphd_spawn_confined(pid_t *child, const char *path, char *const argv[], char *const envp[], const int files[3],
                          pid_t group, const struct graphd_confinement *limits);

#endif
