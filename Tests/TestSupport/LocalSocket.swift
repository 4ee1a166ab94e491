import Glibc
import Synchronization

/// Blocking sockets for scripted clients and servers. They are not inherited, because a process that a test starts
/// would keep the connection open.
package enum LocalSocket {
    package struct Failure: Error {
        package let call: String
        package let number: Int32

        package init(call: String) {
            number = errno
            self.call = call
        }
    }

    /// Connects to a port of 127.0.0.1.
    package static func connectTCP(port: Int) throws -> Int32 {
        try opened("connect", AF_INET) { descriptor in
            withUnsafeBytes(of: loopback(port: port)) { raw in
                connect(descriptor, raw.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
            }
        }
    }

    /// Listens on a TCP port of 127.0.0.1, by default on one that was free.
    package static func listenTCP(port wanted: Int = 0) throws -> (descriptor: Int32, port: Int) {
        var port = 0
        let descriptor = try opened("bind", AF_INET) { descriptor in
            var address = loopback(port: wanted)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutableBytes(of: &address) { raw -> Int32 in
                let pointer = raw.baseAddress!.assumingMemoryBound(to: sockaddr.self)
                guard bind(descriptor, pointer, size) == 0, listen(descriptor, 16) == 0 else { return -1 }
                return getsockname(descriptor, pointer, &size)
            }
            port = Int(UInt16(bigEndian: address.sin_port))
            return status
        }
        return (descriptor, port)
    }

    private static let given = Mutex<Set<Int>>([])

    /// A TCP port of 127.0.0.1 that was free a moment ago, for a program that takes it later. Each is given once. They
    /// are below those that the kernel gives to sockets without a port of their own (`ip_local_port_range`), which
    /// would take it before that program does, or between two of its lives.
    package static func freePort() throws -> Int {
        while true {
            let port = Int.random(in: 10_000..<32_000)
            guard given.withLock({ $0.insert(port).inserted }) else { continue }
            do {
                close(try listenTCP(port: port).descriptor)
                return port
            } catch let failure as Failure where failure.number == EADDRINUSE {}
        }
    }

    package static func listenUnix(_ path: String) throws -> Int32 {
        try opened("bind", AF_UNIX) { descriptor in
            let status = withAddress(ofUnix: path) { bind(descriptor, $0, $1) }
            return status == 0 ? listen(descriptor, 16) : status
        }
    }

    package static func connectUnix(_ path: String) throws -> Int32 {
        try opened("connect", AF_UNIX) { descriptor in
            withAddress(ofUnix: path) { connect(descriptor, $0, $1) }
        }
    }

    private static func withAddress(
        ofUnix path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        return withUnsafeBytes(of: address) { raw in
            body(raw.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
        }
    }

    /// Sends all bytes. Returns false if the other side accepts no more.
    package static func send(_ bytes: ArraySlice<UInt8>, over descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    /// Creates a socket and uses it with `open`. If that does not return 0, closes the socket and throws a failure of
    /// `call`.
    private static func opened(_ call: String, _ family: Int32, _ open: (Int32) -> Int32) throws -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard open(descriptor) == 0 else {
            let failure = Failure(call: call)
            close(descriptor)
            throw failure
        }
        return descriptor
    }
}
