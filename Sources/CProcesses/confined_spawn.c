#define _GNU_SOURCE
#include "confined_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define GRAPHD_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define GRAPHD_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "No filter of system calls for this architecture"
#endif

#define FIELD(name) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
/* A refused call fails, so that a program that only tries goes on. */
#define REFUSE(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), ANSWER(SECCOMP_RET_ERRNO | EPERM)

static const struct sock_filter instructions[] = {
    /* Calls of another architecture have other numbers. */
    FIELD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, GRAPHD_ARCHITECTURE, 1, 0),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    FIELD(nr),
#if defined(__x86_64__)
    /* The same calls again, with 32-bit pointers. */
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    REFUSE(fork),
    REFUSE(vfork),
#endif
    /* The network, and io_uring, which reaches it by other means. */
    REFUSE(socket),
    REFUSE(socketpair),
    REFUSE(io_uring_setup),
    /* Other processes. */
    REFUSE(ptrace),
    REFUSE(process_vm_readv),
    REFUSE(process_vm_writev),
    REFUSE(pidfd_open),
    REFUSE(kill),
    REFUSE(tkill),
    /* Parts of the kernel that no decoder needs. */
    REFUSE(bpf),
    REFUSE(perf_event_open),
    REFUSE(userfaultfd),
    REFUSE(keyctl),
    REFUSE(add_key),
    REFUSE(request_key),
    REFUSE(unshare),
    REFUSE(setns),
    REFUSE(mount),
    /* Its flags are behind a pointer; without it, glibc calls clone. */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
    ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
    /* Threads, but no processes. */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3),
    FIELD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
    ANSWER(SECCOMP_RET_ERRNO | EPERM),
    ANSWER(SECCOMP_RET_ALLOW),
};

struct launch {
    const char *path;
    char *const *argv;
    char *const *envp;
    const int *files;
    pid_t group;
    const struct graphd_confinement *limits;
    sigset_t former_signals;
};

static int limit(int resource, uint64_t soft, uint64_t hard) {
    struct rlimit limits = {.rlim_cur = soft, .rlim_max = hard};
    return setrlimit(resource, &limits);
}

static int set_limits(const struct graphd_confinement *limits) {
    /* After the softer limit SIGXCPU tells the program, after the other one it is killed. */
    return limit(RLIMIT_CPU, limits->processor_seconds, limits->processor_seconds + 1) ||
           limit(RLIMIT_AS, limits->memory, limits->memory) ||
           limit(RLIMIT_FSIZE, limits->file_bytes, limits->file_bytes) ||
           limit(RLIMIT_NOFILE, limits->open_files, limits->open_files) || limit(RLIMIT_CORE, 0, 0);
}

static int filter_calls(void) {
    struct sock_fprog program = {
        .len = sizeof instructions / sizeof *instructions,
        .filter = (struct sock_filter *)instructions,
    };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void reset_signals(const sigset_t *mask) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) {
        /* Those of glibc's own, SIGKILL and SIGSTOP are refused, and are standard. */
        sigaction(number, &standard, NULL);
    }
    sigprocmask(SIG_SETMASK, mask, NULL);
}

/* Moves the files out of the way first: one of them may have the number of another's place. */
static int place_files(const int files[3]) {
    int copies[3];
    for (int number = 0; number < 3; number++) {
        copies[number] = fcntl(files[number], F_DUPFD, 3);
        if (copies[number] < 0) return -1;
    }
    for (int number = 0; number < 3; number++) {
        if (dup2(copies[number], number) < 0) return -1;
    }
    return (int)syscall(__NR_close_range, 3, ~0U, 0);
}

/* Runs in the child, on the memory of the parent: it calls only what a signal handler may call. */
static int begin(const struct launch *launch) {
    sigset_t none;
    sigemptyset(&none);
    if (setpgid(0, launch->group) || place_files(launch->files) || set_limits(launch->limits)) return errno;
    reset_signals(&none);
    if (filter_calls()) return errno;
    execve(launch->path, launch->argv, launch->envp);
    return errno;
}

int graphd_spawn_confined(pid_t *child, const char *path, char *const argv[], char *const envp[], const int files[3],
                          pid_t group, const struct graphd_confinement *limits) {
    struct launch launch = {.path = path, .argv = argv, .envp = envp, .files = files, .group = group, .limits = limits};
    /* The child writes it: with vfork, both have the same memory until the program runs or the child ends. */
    volatile int failure = 0;
    sigset_t all;
    sigfillset(&all);
    /* No handler of the parent may run in the child. */
    sigprocmask(SIG_SETMASK, &all, &launch.former_signals);
    pid_t found = vfork();
    if (found == 0) {
        failure = begin(&launch);
        _exit(127);
    }
    int number = errno;
    sigprocmask(SIG_SETMASK, &launch.former_signals, NULL);
    if (found < 0) return number;
    if (failure) {
        while (waitpid(found, NULL, 0) == -1 && errno == EINTR) {}
        return failure;
    }
    *child = found;
    return 0;
}
