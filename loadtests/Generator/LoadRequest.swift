import NIOCore

/// A request ready to be written.
struct LoadRequest: Sendable {
    /// Its index in the workload's kinds.
    let kind: Int
    let bytes: ByteBuffer

    /// - Parameters:
    ///   - token: nil for a request without an `Authorization` header.
    ///   - body: JSON; nil for none.
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

/// The source of requests. They are drawn from a seed, so that two runs send the same.
protocol Workload: Sendable {
    /// Names of the kinds of requests, in the order of ``LoadRequest/kind``.
    var kinds: [String] { get }
    /// Returns the next request; nil if there are no more. A closed loop ends with the last answer.
    mutating func next() -> LoadRequest?
}

/// The times at which requests are sent.
enum Pace: Sendable {
    /// Random times, so many a second on average (a Poisson process), whether the server keeps up or not.
    case open(perSecond: Double)
    /// At these times, in seconds from the start, ascending.
    case replay([Double])
    /// Each connection sends a request when it has the answer to the previous one: the server's maximum rate.
    case closed
}
