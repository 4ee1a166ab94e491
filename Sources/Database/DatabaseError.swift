/// A failure of the database.
package enum DatabaseError: ClientError, Equatable {
    /// The write queue is full.
    case busy
    /// The disk or the database engine failed; the whole commit group failed with it. `detail` is for the log only.
    case storage(detail: String)
    /// The disk has no room for the write; nothing was written.
    case storageFull(detail: String)
    /// A page of the database is damaged, or holds a value that cannot be decoded. `detail` is for the log only.
    case storageCorrupt(detail: String)
    case idSpaceExhausted

    package var answer: ErrorAnswer {
        switch self {
        case .busy: .init("busy", "Too many writes are waiting. Try again shortly.")
        case .storage:
            .init("storage_unavailable", "The database cannot be written at the moment. Try again shortly.")
        case .storageFull:
            .init(
                "storage_full",
                "The server's disk is full. Reads are served; writes are refused until there is space.")
        case .storageCorrupt:
            .init(
                "storage_corrupt", "Part of the database is damaged. The server's operator must restore it.")
        case .idSpaceExhausted: .init("id_space_exhausted", "No more ids are available.")
        }
    }

    /// True for a failure of the database itself, independent of the query.
    package var isOfStorage: Bool { self != .idSpaceExhausted }
}
