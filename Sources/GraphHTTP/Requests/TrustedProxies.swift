import GraphServices
import HTTPTypes

/// A block of addresses, such as `192.0.2.0/24`.
package struct AddressRange: Sendable, Equatable {
    private let prefix: [UInt8]
    private let length: Int

    /// Parses an address, or a block in which no bit beyond the length is set; nil for anything else.
    package init?(_ text: Substring) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = IPAddress(String(Substring(parts[0])))?.bytes else { return nil }
        var length = bytes.count * 8
        if parts.count == 2 {
            guard parts[1].count <= 3, parts[1].allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
                let given = Int(Substring(parts[1])), given <= length
            else { return nil }
            length = given
        }
        for bit in length..<bytes.count * 8 where bytes[bit / 8] >> (7 - bit % 8) & 1 == 1 { return nil }
        (prefix, self.length) = (bytes, length)
    }

    package func contains(_ address: IPAddress) -> Bool {
        let bytes = address.bytes
        guard bytes.count == prefix.count else { return false }
        let whole = length / 8
        guard bytes[..<whole] == prefix[..<whole] else { return false }
        let rest = length % 8
        return rest == 0 || (bytes[whole] ^ prefix[whole]) >> (8 - rest) == 0
    }
}

/// The proxies trusted to name a request's origin.
package struct TrustedProxies: Sendable, Equatable {
    /// Largest number of proxies traversed, and of bytes of a header examined, from its end.
    static let hops = 16
    package static let headerBytes = 1_024

    let ranges: [AddressRange]

    package static let none = TrustedProxies(ranges: [])

    package init(ranges: [AddressRange]) { self.ranges = ranges }

    /// Parses blocks separated by commas; nil if one is malformed.
    package init?(_ text: String) {
        var ranges: [AddressRange] = []
        let space = UInt8(ascii: " ")
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let range = AddressRange(Substring(part.drop { $0 == space }.prefix { $0 != space }))
            guard let range else { return nil }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    package func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }

    /// Returns the address that the request came from: the peer's or, if that is a trusted proxy, the last address that
    /// is not a trusted proxy's (`Forwarded` of RFC 7239, or `X-Forwarded-For`). Returns the peer's also if a header is
    /// malformed there, or if both headers are given and contradict each other: one of them then came from the client.
    package func origin(of peer: IPAddress?, _ headers: HTTPFields) -> IPAddress? {
        guard !ranges.isEmpty, let peer = peer?.unmapped, contains(peer) else { return peer?.unmapped }
        let forwarded = headers[values: .forwarded]
        let others = headers[values: .xForwardedFor]
        switch (forwarded.isEmpty, others.isEmpty) {
        case (true, true): return peer
        case (false, true): return origin(forwarded, ForwardedText.node(inForwarded:)) ?? peer
        case (true, false): return origin(others, ForwardedText.node(inForwardedFor:)) ?? peer
        case (false, false):
            let first = origin(forwarded, ForwardedText.node(inForwarded:))
            let second = origin(others, ForwardedText.node(inForwardedFor:))
            return first == second ? first ?? peer : peer
        }
    }

    /// Reads from the right, where the nearest proxy has written. Nil if the header is malformed or too long before an
    /// end is found.
    private func origin(_ lines: [String], _ node: (Substring.UTF8View) -> IPAddress?) -> IPAddress? {
        var (origin, seen, bytes): (IPAddress?, Int, Int) = (nil, 0, 0)
        for line in lines.reversed() {
            var rest = line.utf8[...]
            while true {
                let comma = rest.suffix(Self.headerBytes - bytes).lastIndex(of: UInt8(ascii: ","))
                guard comma != nil || rest.count <= Self.headerBytes - bytes else { return nil }
                let element = comma.map { rest[rest.index(after: $0)...] } ?? rest
                (seen, bytes) = (seen + 1, bytes + element.count + 1)
                guard seen <= Self.hops, bytes <= Self.headerBytes else { return nil }
                guard let address = node(element)?.unmapped else { return nil }
                origin = address
                guard contains(address) else { return address }
                guard let comma else { break }
                rest = rest[..<comma]
            }
        }
        return origin
    }
}

extension HTTPField.Name {
    package static let forwarded = constant("Forwarded")
    package static let xForwardedFor = constant("X-Forwarded-For")
}
