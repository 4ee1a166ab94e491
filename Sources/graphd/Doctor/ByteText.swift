/// Sizes as people read them: `512 MiB`, `3.2 GiB`.
enum ByteText {
    private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    /// Returns `bytes` in the largest unit that leaves a whole part, with one decimal below ten.
    static func text(_ bytes: Int64) -> String {
        guard bytes >= 1_024 else { return "\(bytes) bytes" }
        var (tenths, unit) = (bytes / 1_024 * 10 + bytes % 1_024 * 10 / 1_024, 0)
        while tenths >= 10_240, unit + 1 < units.count {
            tenths /= 1_024
            unit += 1
        }
        let decimal = tenths < 100 && tenths % 10 != 0 ? ".\(tenths % 10)" : ""
        return "\(tenths / 10)\(decimal) \(units[unit])"
    }
}
