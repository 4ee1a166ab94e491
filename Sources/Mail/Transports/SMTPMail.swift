import Glibc
import Subprocess
import SystemPackage

/// Submits mail to an SMTP server through the program curl, one process a mail.
///
/// curl reads its configuration, and with it the password, from standard input: the arguments of a process are
/// readable by every user of the machine. It reads the mail from a file in memory, so that no token is left on a disk.
package struct SMTPMail: MailTransport {
    /// Longest time of an attempt.
    static let attempt = Duration.seconds(60)
    /// Bytes kept of curl's answers.
    private static let outputLimit = 4_096
    /// Exit status of curl when the server does not accept the user or password.
    private static let loginDenied: Int32 = 67

    let server: SMTPServer
    let curl: String
    var limit = SMTPMail.attempt

    /// - Parameter curl: path of the program.
    package init(server: SMTPServer, curl: String) { (self.server, self.curl) = (server, curl) }

    /// Returns the path of curl in the directories of `PATH`; nil if it is not installed.
    package static func findCurl(inPath path: String?) -> String? {
        (path ?? "").split(separator: ":").lazy.map { "\($0)/curl" }.first { access($0, X_OK) == 0 }
    }

    package func send(_ message: MailMessage) async -> MailResult {
        do {
            let file = try MemoryFile(Array(message.rendered.utf8))
            defer { withExtendedLifetime(file) {} }
            return try await run(configuration(of: message, file: file.path))
        } catch let fault as MailFault {
            return .failed(fault.description)
        } catch {
            return .failed("curl cannot be run: \(error)")
        }
    }

    private func run(_ configuration: String) async throws -> MailResult {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .seconds(60))
        ]
        return try await withThrowingTaskGroup(of: MailResult.self) { [options] group in
            group.addTask {
                // -q comes first: curl would read ~/.curlrc otherwise.
                let result = try await Subprocess.run(
                    .path(FilePath(curl)), arguments: ["-q", "--config", "-"], environment: .custom(["LC_ALL": "C"]),
                    platformOptions: options, input: .string(configuration),
                    output: .string(limit: Self.outputLimit), error: .string(limit: Self.outputLimit))
                guard case .exited(let status) = result.terminationStatus else { return .failed("curl was killed") }
                return Self.result(status, answer: result.standardOutput, text: result.standardError)
            }
            group.addTask {
                try await Task.sleep(for: limit)
                return .failed("no answer from the SMTP server within \(limit.components.seconds) s")
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .failed("curl was cancelled")
        }
    }

    /// A server's answer of 5xx is final, unless it is about the user or password, which the operator can correct.
    static func result(_ status: Int32, answer: String, text: String) -> MailResult {
        guard status != 0 else { return .sent }
        let printable = text.utf8.map { $0 >= 0x20 && $0 < 0x7F ? $0 : 0x20 }
        let failure = "curl ended with \(status): " + String(decoding: printable.prefix(200), as: UTF8.self)
        let code = Int(answer) ?? 0
        return (550...559).contains(code) && status != loginDenied ? .refused(failure) : .failed(failure)
    }

    /// The configuration of curl: one option a line. The path of the URL is the name that curl gives the server (EHLO);
    /// without one it would be the name of the file.
    func configuration(of message: MailMessage, file: String) -> String {
        var lines = [
            Self.line("url", "\(server.url)/\(message.from.domain)"),
            Self.line("mail-from", "<\(message.from.address)>"),
            Self.line("mail-rcpt", "<\(message.to.address)>"), Self.line("upload-file", file),
            Self.line("noproxy", "*"), Self.line("max-time", "\(limit.components.seconds)"),
            Self.line("write-out", "%{response_code}"), "silent", "show-error",
        ]
        if server.security == .required { lines.append("ssl-reqd") }
        if let authorities = server.authorities { lines.append(Self.line("cacert", authorities)) }
        if let user = server.user, let password = server.password {
            lines.append(Self.line("user", "\(user):\(password)"))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func line(_ option: String, _ value: String) -> String {
        let escaped = value.flatMap { $0 == "\\" || $0 == "\"" ? ["\\", $0] : [$0] }
        return "\(option) = \"\(String(escaped))\""
    }
}

/// A file without a name that exists in memory only, as long as it is referenced. Another process of the same user can
/// open its path.
final class MemoryFile: Sendable {
    private let descriptor: Int32
    let path: String

    /// - Throws: ``MailFault``.
    init(_ bytes: [UInt8]) throws {
        let name = "/graphd-mail-\(getpid())-\(UInt64.random(in: .min ... .max))"
        descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        shm_unlink(name)
        path = "/proc/\(getpid())/fd/\(descriptor)"
        guard descriptor >= 0 else { throw MailFault("no memory for a mail: \(String(cString: strerror(errno)))") }
        guard MailDirectory.write(bytes, to: descriptor) else {
            throw MailFault("no memory for a mail: \(String(cString: strerror(errno)))")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
