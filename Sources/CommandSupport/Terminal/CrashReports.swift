import Glibc

/// Reports of crashes on standard error.
package enum CrashReports {
    /// The variable by which Swift's runtime is told to print backtraces.
    private static let variable = "SWIFT_BACKTRACE"
    /// The signals for which the runtime installs its handler at the start of a process.
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGQUIT]

    /// Switches the runtime's backtraces off, unless the operator has set `SWIFT_BACKTRACE`.
    ///
    /// They show what is in memory, secrets of users included, in the log, and keep the process from being started anew
    /// for many seconds. The variable is read before any of our code runs, so that its handlers are taken out again.
    package static func silenceUnlessAskedFor() {
        guard getenv(variable) == nil else { return }
        for number in signals { signal(number, SIG_DFL) }
    }
}
