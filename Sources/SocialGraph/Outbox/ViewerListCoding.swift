import Database

/// A list of users as a blob: ascending ids, each as the LEB128 difference to the one before.
enum ViewerListCoding {
    static func encode(_ viewers: [UserID]) -> [UInt8] {
        var bytes: [UInt8] = []
        var previous: Int64 = 0
        for id in Set(viewers.map(\.rawValue)).sorted() {
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
    static func decode(_ bytes: [UInt8]) throws -> [UserID] {
        var viewers: [UserID] = []
        var previous: Int64 = 0
        var value: UInt64 = 0
        var shift: UInt64 = 0
        for byte in bytes {
            guard shift < Int64.bitWidth - 1 else { throw DatabaseError.undecodable([UserID].self, bytes) }
            value |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0 {
                let (id, overflows) = previous.addingReportingOverflow(Int64(value))
                guard !overflows, id > previous || viewers.isEmpty else {
                    throw DatabaseError.undecodable([UserID].self, bytes)
                }
                previous = id
                viewers.append(UserID(rawValue: previous))
                value = 0
                shift = 0
            }
        }
        guard shift == 0 else { throw DatabaseError.undecodable([UserID].self, bytes) }
        return viewers
    }
}
