import Glibc
import NIOCore

/// An internet address, and whether it is one of the public internet.
package struct IPAddress: Sendable, Equatable, CustomStringConvertible {
    /// The bytes in network order: 4 or 16.
    package let bytes: [UInt8]

    /// Parses an address in its full written form; nil for anything else, such as `127.1` or `0x7f000001`, which
    /// resolvers accept as addresses.
    package init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: six) { Array($0) }
        } else {
            return nil
        }
    }

    /// Nil for a unix socket.
    package init?(_ address: SocketAddress) {
        switch address {
        case .v4(let four): bytes = withUnsafeBytes(of: four.address.sin_addr) { Array($0) }
        case .v6(let six): bytes = withUnsafeBytes(of: six.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: return nil
        }
    }

    package init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
    }

    /// The IPv4 address that an IPv6 one stands for (`::ffff:192.0.2.1`), as sockets for both show it; otherwise
    /// itself.
    package var unmapped: IPAddress {
        guard bytes.count == 16, bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF else {
            return self
        }
        return IPAddress(bytes: Array(bytes[12...]))
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    package var description: String {
        guard bytes.count == 16 else { return bytes.map { String($0) }.joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2)
            .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
    }

    /// True for 127.0.0.0/8, also mapped into IPv6, and ::1.
    package var isLoopback: Bool {
        if bytes.count == 4 { return bytes[0] == 127 }
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return isMapped ? bytes[12] == 127 : bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// True unless the address is private, loopback, link-local (such as the metadata services of clouds), shared
    /// (CGNAT), multicast, reserved, or an IPv4 address embedded in an IPv6 one (IANA special-purpose address
    /// registries, RFC 6890).
    package var isPublic: Bool {
        guard bytes.count == 16 else { return !Self.special.contains { $0.contains(bytes) } }
        return Self.unicast.contains(bytes) && !Self.specialUnicast.contains { $0.contains(bytes) }
    }

    private static let special = [
        Block([0], 8), Block([10], 8), Block([100, 64], 10), Block([127], 8), Block([169, 254], 16),
        Block([172, 16], 12), Block([192, 0, 0], 24), Block([192, 0, 2], 24), Block([192, 88, 99], 24),
        Block([192, 168], 16), Block([198, 18], 15), Block([198, 51, 100], 24), Block([203, 0, 113], 24),
        // Multicast, and blocks that were never allocated.
        Block([224], 3),
    ]
    /// All allocated IPv6 addresses. Mapped, translated, unique local, link-local and multicast ones lie outside.
    private static let unicast = Block([0x20], 3)
    /// Protocol assignments (Teredo among them), documentation, 6to4.
    private static let specialUnicast = [
        Block([0x20, 0x01, 0x00], 23), Block([0x20, 0x01, 0x0D, 0xB8], 32), Block([0x20, 0x02], 16),
        Block([0x3F, 0xFF, 0x00], 20),
    ]

    /// The addresses that begin with the same `length` bits.
    private struct Block: Sendable {
        let prefix: [UInt8]
        let length: Int

        init(_ prefix: [UInt8], _ length: Int) {
            self.prefix = prefix
            self.length = length
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            (0..<length).allSatisfy { bit in
                let (index, shift) = (bit / 8, 7 - bit % 8)
                return index < prefix.count && bytes[index] >> shift & 1 == prefix[index] >> shift & 1
            }
        }
    }
}
