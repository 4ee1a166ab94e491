import Glibc

/// Blocking TCP sockets on 127.0.0.1.
enum LoopbackSocket {
    struct Failure: Error {
        let call: String
        let number = errno
    }

    static func connected(to port: Int) throws -> Int32 {
        try opened("connect", port: port) { Glibc.connect($0, $1, $2) }
    }

    /// Of a port that was free.
    static func listening() throws -> (descriptor: Int32, port: Int) {
        var port = 0
        let descriptor = try opened("bind", port: 0) { descriptor, address, size in
            var size = size
            guard bind(descriptor, address, size) == 0, listen(descriptor, 16) == 0 else { return -1 }
            var own = sockaddr_in()
            let status = withUnsafeMutableBytes(of: &own) {
                getsockname(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), &size)
            }
            port = Int(UInt16(bigEndian: own.sin_port))
            return status
        }
        return (descriptor, port)
    }

    private static func opened(
        _ call: String, port: Int, _ open: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        // Not inherited: a process that a test starts meanwhile would keep the connection open.
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = withUnsafeBytes(of: &address) { raw in
            open(
                descriptor, raw.baseAddress!.assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        guard status == 0 else {
            let failure = Failure(call: call)
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// False where the other side takes no more.
    static func send(_ bytes: ArraySlice<UInt8>, over descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
