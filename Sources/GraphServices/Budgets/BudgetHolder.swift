import Crypto

/// The owner of a budget.
package enum BudgetHolder: Hashable, Sendable {
    case user(Int64)
    /// A program of the operator's, by its service token.
    case service(Int64)
    case address(AddressBlock)
    /// One account as seen from one address, so that another address's guesses do not lock the owner out.
    case account(AccountKey, from: AddressBlock)
    case site
    case community(Int64)
    /// The server's own work.
    case server
}

/// The addresses counted as one caller: one IPv4 address, or an IPv6 /64, the usual allocation of one subscriber.
package enum AddressBlock: Hashable, Sendable, CustomStringConvertible {
    case four(UInt32)
    case six(UInt64)
    /// A unix socket.
    case local

    package init(_ address: IPAddress?) {
        // Unmapped: otherwise all of IPv4 over an IPv6 socket would be one block.
        guard let bytes = address?.unmapped.bytes else {
            self = .local
            return
        }
        func number(_ slice: ArraySlice<UInt8>) -> UInt64 { slice.reduce(0) { $0 << 8 | UInt64($1) } }
        if bytes.count == 4 {
            self = .four(UInt32(truncatingIfNeeded: number(bytes[...])))
        } else {
            self = .six(number(bytes[..<8]))
        }
    }

    /// `192.0.2.1`, `2001:db8:0:0::/64`, `local`.
    package var description: String {
        switch self {
        case .four(let number):
            stride(from: 24, through: 0, by: -8).map { String(number >> UInt32($0) & 0xFF) }.joined(separator: ".")
        case .six(let number):
            stride(from: 48, through: 0, by: -16).map { String(number >> UInt64($0) & 0xFFFF, radix: 16) }
                .joined(separator: ":") + "::/64"
        case .local: "local"
        }
    }
}

/// Names an account whether or not it exists, in 16 bytes.
package struct AccountKey: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// - Parameter name: the normalised spelling, common to all spellings of the account's name.
    package init(_ name: String) {
        var halves: [UInt64] = [0, 0]
        for (index, byte) in SHA256.hash(data: Array(name.utf8)).prefix(16).enumerated() {
            halves[index / 8] = halves[index / 8] << 8 | UInt64(byte)
        }
        (high, low) = (halves[0], halves[1])
    }

    package var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
    }

    package init(_ user: Int64) {
        (high, low) = (0, UInt64(bitPattern: user))
    }
}
