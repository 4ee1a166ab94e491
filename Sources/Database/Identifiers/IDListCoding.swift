/// A list of ids as a blob: ascending ids, each as the LEB128 difference to the one before.
package enum IDListCoding {
    package static func encode<Entity>(_ ids: [ID<Entity>]) -> [UInt8] {
        var bytes: [UInt8] = []
        var previous: Int64 = 0
        for id in Set(ids.map(\.rawValue)).sorted() {
            var rest = UInt64(id - previous)
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
            previous = id
        }
        return bytes
    }

    /// Throws ``DatabaseError/storageCorrupt(detail:)`` for bytes that ``encode(_:)`` cannot have written.
    package static func decode<Entity>(_ bytes: [UInt8]) throws -> [ID<Entity>] {
        var ids: [ID<Entity>] = []
        var previous: Int64 = 0
        var value: UInt64 = 0
        var shift: UInt64 = 0
        for byte in bytes {
            guard shift < Int64.bitWidth - 1 else { throw DatabaseError.undecodable([ID<Entity>].self, bytes) }
            value |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0 {
                let (id, overflows) = previous.addingReportingOverflow(Int64(value))
                guard !overflows, id > previous || ids.isEmpty else {
                    throw DatabaseError.undecodable([ID<Entity>].self, bytes)
                }
                previous = id
                ids.append(ID(rawValue: previous))
                value = 0
                shift = 0
            }
        }
        guard shift == 0 else { throw DatabaseError.undecodable([ID<Entity>].self, bytes) }
        return ids
    }
}
