import Glibc

/// Wakes a thread from `poll`. A pipe, because Swift's Glibc module lacks `eventfd`; one byte for each wake-up.
final class RedisWakeup: Sendable {
    let descriptor: Int32
    private let writeEnd: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw RedisError(.unavailable, String(cString: strerror(errno))) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        descriptor = ends[0]
        writeEnd = ends[1]
    }

    // Every object that may still signal holds a reference, so neither number can be closed and reused under a writer.
    deinit {
        close(descriptor)
        close(writeEnd)
    }

    /// A full pipe already holds a wake-up, so a failed write loses nothing.
    func signal() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    func clear() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { scratch in
            while read(descriptor, scratch.baseAddress, scratch.count) == scratch.count {}
        }
    }
}
