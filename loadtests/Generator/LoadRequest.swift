import NIOCore

/// A request ready to be written.
struct LoadRequest: Sendable {
    /// Its place in the workload's kinds.
    let kind: Int
    let bytes: ByteBuffer

    /// - Parameters:
    ///   - token: nil: without an `Authorization` header.
    ///   - body: JSON; nil: none.
    init(kind: Int, _ method: String, _ target: String, token: String?, body: String? = nil) {
        self.kind = kind
        var bytes = ByteBuffer()
        bytes.writeString("\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        if let token { bytes.writeString("Authorization: Bearer \(token)\r\n") }
        if let body {
            bytes.writeString("Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        } else {
            bytes.writeString("\r\n")
        }
        self.bytes = bytes
    }
}

/// Where requests come from: which comes next is drawn from a seed, so that two runs ask the same.
protocol Workload: Sendable {
    /// Names of what is asked, in the order of ``LoadRequest/kind``.
    var kinds: [String] { get }
    /// Nil: there is no more; in a closed loop it ends with the last answer.
    mutating func next() -> LoadRequest?
}

/// When requests are sent.
enum Pace: Sendable {
    /// At random times, so many a second on average (a Poisson process), whether the server keeps up or not.
    case open(perSecond: Double)
    /// At these times, in seconds from the start, ascending.
    case replay([Double])
    /// Each connection asks when it has the answer to the last request: what the server can do at most.
    case closed
}
