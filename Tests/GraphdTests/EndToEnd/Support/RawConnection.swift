import Dispatch
import Glibc

/// A TCP connection that says exactly what it is told, for requests that no HTTP client would send.
final class RawConnection: Sendable {
    struct Failure: Error {
        let call: String
        let number = errno
    }

    private let descriptor: Int32
    /// Reading blocks; it must not hold up the cooperative pool.
    private let queue = DispatchQueue(label: "raw connection")

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = withUnsafeBytes(of: &address) { raw in
            connect(
                descriptor, raw.baseAddress!.assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        guard connected == 0 else {
            close(descriptor)
            throw Failure(call: "connect")
        }
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends what the other side still takes: it may well have closed already.
    func send(_ bytes: [UInt8]) async throws {
        try await onQueue { [descriptor] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Says that nothing follows.
    func finish() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// What comes until `isEnough`, or until the other side closes. Throws after 20 seconds of silence and on a reset.
    func receive(until isEnough: @escaping @Sendable (String) -> Bool = { _ in false }) async throws -> String {
        try await onQueue { [descriptor] in
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count >= 0 else { throw Failure(call: "recv") }
                bytes += buffer[..<count]
                let text = String(decoding: bytes, as: UTF8.self)
                if count == 0 || isEnough(text) { return text }
            }
        }
    }

    private func onQueue<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
