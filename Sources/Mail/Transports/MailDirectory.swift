import Dispatch
import Glibc

/// Writes each mail to a file of its own, for development: `<message id>.eml`, readable by the owner alone. A file
/// appears whole, under its final name.
package struct MailDirectory: MailTransport {
    let path: String
    private let queue = DispatchQueue(label: "mail.directory")

    /// - Parameter path: created if missing.
    package init(path: String) { self.path = path }

    package func send(_ message: MailMessage) async -> MailResult {
        await withCheckedContinuation { continuation in
            // Files block.
            queue.async {
                do {
                    try write(message)
                    continuation.resume(returning: .sent)
                } catch {
                    continuation.resume(returning: .failed("\(error)"))
                }
            }
        }
    }

    private func write(_ message: MailMessage) throws {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw Self.failure("cannot create", path) }
        let name = String(message.id.prefix { $0 != "@" }.map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "-" })
        let (temporary, final) = ("\(path)/.\(name).new", "\(path)/\(name).eml")
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure("cannot create", temporary) }
        defer { close(file) }
        guard Self.write(Array(message.rendered.utf8), to: file) else {
            let failure = Self.failure("cannot write", temporary)
            unlink(temporary)
            throw failure
        }
        guard rename(temporary, final) == 0 else { throw Self.failure("cannot rename", temporary) }
    }

    /// Returns false if not everything can be written.
    static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func failure(_ act: String, _ path: String) -> MailFault {
        MailFault("\(act) \(path): \(String(cString: strerror(errno)))")
    }
}
