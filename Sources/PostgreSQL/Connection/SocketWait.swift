import Glibc

/// Waits for a socket that libpq uses without blocking.
enum SocketWait {
    /// Blocks until `descriptor` has something to read, or accepts more if `writing`.
    ///
    /// - Returns: false if the deadline has passed.
    static func wait(
        for descriptor: CInt, reading: Bool = true, writing: Bool, until deadline: ContinuousClock.Instant
    ) -> Bool {
        let events = (reading ? Int16(POLLIN) : 0) | (writing ? Int16(POLLOUT) : 0)
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        while true {
            let rest = (deadline - ContinuousClock.now).milliseconds
            if rest < 0 { return false }
            // Rounded up, so that the last fraction of a millisecond is not spent polling.
            let count = poll(&entry, 1, CInt(clamping: rest + 1))
            if count > 0 || count < 0 && errno != EINTR { return true }
        }
    }
}
