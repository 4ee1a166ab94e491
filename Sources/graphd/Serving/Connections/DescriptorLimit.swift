import Glibc

/// The limit on open file descriptors of this process.
enum DescriptorLimit {
    /// Raises the soft limit to the hard one.
    ///
    /// - Returns: the limit now in force.
    static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return fallback }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// The smallest limit of POSIX systems in practice.
    private static let fallback = 1024
}
