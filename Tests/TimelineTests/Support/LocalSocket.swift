import Foundation
import Glibc

/// Blocking sockets for scripted peers.
enum LocalSocket {
    struct Failure: Error {
        let call: String
        let number = errno
    }

    /// A TCP port of 127.0.0.1 that was free a moment ago.
    static func freePort() throws -> Int {
        let (descriptor, port) = try listenTCP()
        close(descriptor)
        return port
    }

    static func listenTCP() throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutableBytes(of: &address) { raw -> Bool in
            let pointer = raw.baseAddress!.assumingMemoryBound(to: sockaddr.self)
            return bind(descriptor, pointer, size) == 0 && listen(descriptor, 16) == 0
                && getsockname(descriptor, pointer, &size) == 0
        }
        guard bound else { throw Failure(call: "bind") }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    static func listenUnix(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafeBytes(of: &address) { raw in
            bind(
                descriptor, raw.baseAddress!.assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
        guard bound, listen(descriptor, 16) == 0 else { throw Failure(call: "bind") }
        return descriptor
    }
}
