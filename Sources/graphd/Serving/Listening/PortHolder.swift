import Algorithms
import Foundation
import GraphServices

/// The process that listens on a TCP port of this machine, as far as `/proc` shows it: processes of other users are
/// shown to root only.
struct PortHolder: Equatable {
    let pid: Int
    let name: String

    /// State of a listening socket in `/proc/net/tcp`.
    private static let listening = "0A"

    /// Nil if no process is found.
    init?(port: Int, proc: String = "/proc") {
        let tables = ["/net/tcp", "/net/tcp6"].compactMap { KernelFile.text(proc + $0) }
        let sockets = Set(tables.flatMap { Self.sockets(port: port, inTable: $0) })
        guard !sockets.isEmpty, let pid = OpenFiles.holder(proc: proc, where: sockets.contains) else { return nil }
        self.pid = pid
        let command = FileManager.default.contents(atPath: "\(proc)/\(pid)/comm") ?? Data()
        name = String(decoding: command, as: UTF8.self).trimming(while: \.isWhitespace).description
    }

    /// Returns the link texts of the sockets that listen on `port`, such as `socket:[4711]`.
    private static func sockets(port: Int, inTable table: String) -> [String] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            // Number, local address, remote address, state, queues, timer, retransmits, user, time-out, inode.
            let fields = line.split(separator: " ")
            guard fields.count > 9, fields[3] == listening, let colon = fields[1].lastIndex(of: ":"),
                Int(fields[1][fields[1].index(after: colon)...], radix: 16) == port
            else { return nil }
            return "socket:[\(fields[9])]"
        }
    }
}
