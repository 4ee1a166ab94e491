import Glibc
import Synchronization

/// A log file that can be opened anew after it has been renamed. Lines of concurrent writers do not mix. A line that
/// cannot be written is lost.
final class LogFile: LogSink {
    struct Unusable: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    let path: String
    private let descriptor: Mutex<Int32>

    /// Opens the file to append to it; creates it if it does not exist. Throws ``Unusable``.
    init(path: String) throws {
        self.path = path
        descriptor = Mutex(try Self.open(path))
    }

    deinit {
        descriptor.withLock { _ = close($0) }
    }

    func write(line: [UInt8]) {
        descriptor.withLock { LogBytes.write(line, to: $0) }
    }

    /// Opens the path anew; throws ``Unusable``, and goes on with the former file, if that is impossible.
    func reopen() throws {
        let opened = try Self.open(path)
        let former = descriptor.withLock { descriptor in
            defer { descriptor = opened }
            return descriptor
        }
        close(former)
    }

    private static func open(_ path: String) throws -> Int32 {
        // Opening a named pipe would wait for its reader without O_NONBLOCK, which means nothing for a file.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        let descriptor = Glibc.open(path, flags, 0o640)
        guard descriptor >= 0 else {
            throw Unusable(description: "The log file \(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw Unusable(
                description: "The log file \(path) is not a regular file. Omit --log-file to log to standard error.")
        }
        return descriptor
    }
}
