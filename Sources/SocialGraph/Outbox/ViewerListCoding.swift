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

    static func decode(_ bytes: [UInt8]) -> [UserID] {
        var viewers: [UserID] = []
        var previous: Int64 = 0
        var value: UInt64 = 0
        var shift: UInt64 = 0
        for byte in bytes {
            value |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0 {
                previous += Int64(value)
                viewers.append(UserID(rawValue: previous))
                value = 0
                shift = 0
            }
        }
        return viewers
    }
}
