import Glibc

/// Reports of crashes on standard error.
package enum CrashReports {
    /// The variable that tells Swift's runtime to print backtraces.
    private static let variable = "SWIFT_BACKTRACE"
    /// The signals for which the runtime installs its handler at the start of a process.
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGQUIT]

    /// Switches the runtime's backtraces off, unless the operator has set `SWIFT_BACKTRACE`.
    ///
    /// Backtraces write the content of memory, secrets of users included, to the log, and delay the restart of the
    /// process by many seconds. The runtime reads the variable before any of our code runs, so its handlers are removed
    /// again.
    package static func silenceUnlessAskedFor() {
        guard getenv(variable) == nil else { return }
        for number in signals { signal(number, SIG_DFL) }
    }
}
