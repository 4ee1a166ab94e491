/// The last time that a data directory has seen.
package struct ClockStore: Sendable {
    let database: any GraphDatabase

    package init(database: any GraphDatabase) { self.database = database }

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }
}

extension ClockStore {
    fileprivate static let clockSetting = "clock"

    package func storeClockMark(_ mark: SteadyClock.Mark) async throws {
        let text = "\(mark.trusted) \(mark.boot) \(mark.pending) \(mark.bootID ?? "-")"
        try await SettingStore(database: database).store(text, as: Self.clockSetting)
    }
}

extension ClockStore.Reader {
    /// The last mark stored, else the time of the newest id; nil in a directory without either.
    ///
    /// - Parameter wall: a newer id is ignored, because ids may have run ahead of the time.
    package func clockMark(before wall: Int64) throws -> SteadyClock.Mark? {
        if let text = try SettingStore.Reader(reader).setting(ClockStore.clockSetting) {
            return try SteadyClock.Mark(text: text)
        }
        let last = try reader.first(IDSequence.lastQuery, []) { $0.integer(0) } ?? 0
        let newest = IDSequence.milliseconds(of: last)
        return last > 0 && newest <= wall ? SteadyClock.Mark(trusted: newest) : nil
    }
}

extension SteadyClock.Mark {
    fileprivate init(text: String) throws {
        let parts = text.split(separator: " ")
        guard parts.count == 4, let trusted = Int64(parts[0]), let boot = Int64(parts[1]), let pending = Int64(parts[2])
        else { throw DatabaseError.undecodable(Self.self, text) }
        self.init(trusted: trusted, boot: boot, bootID: parts[3] == "-" ? nil : String(parts[3]), pending: pending)
    }
}
