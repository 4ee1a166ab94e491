import Glibc

/// A plain thread, for C calls that block: they must not run on the cooperative pool.
enum RedisThread {
    /// Runs `body` on a new, detached thread.
    /// - Parameter name: seen in `top -H` and debuggers, which show its first 15 bytes.
    static func start(name: String, _ body: @escaping @Sendable () -> Void) throws {
        let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, enterThread, start.toOpaque())
        guard status == 0 else {
            start.release()
            throw RedisError(.unavailable, "no thread: \(String(cString: strerror(status)))")
        }
        pthread_detach(thread)
    }
}

private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

// A function, because Swift 6.3.1 crashes on the same code as a closure.
private func enterThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    nameThisThread(start.name)
    start.body()
    return nil
}

/// Sets the name through /proc, because Swift's Glibc module lacks `pthread_setname_np`. A thread without a name works
/// as well.
private func nameThisThread(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = write(file, name, min(name.utf8.count, 15))
    close(file)
}
