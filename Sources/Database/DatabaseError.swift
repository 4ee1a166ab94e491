/// A failure of the database. `code` is stable; `message` is safe to show to a client.
package enum DatabaseError: Error, Equatable {
    /// The write queue is full.
    case busy
    /// The disk or the database engine failed; the whole commit group failed with it. `detail` is for the log only.
    case storage(detail: String)
    /// The disk has no room for what was to be written; nothing of it was.
    case storageFull(detail: String)
    /// A page of the database is damaged, or holds a value that cannot be decoded. `detail` is for the log only.
    case storageCorrupt(detail: String)
    case idSpaceExhausted

    package var code: String {
        switch self {
        case .busy: "busy"
        case .storage: "storage_unavailable"
        case .storageFull: "storage_full"
        case .storageCorrupt: "storage_corrupt"
        case .idSpaceExhausted: "id_space_exhausted"
        }
    }

    package var message: String {
        switch self {
        case .busy: "Too many writes are waiting. Try again shortly."
        case .storage: "The database cannot be written at the moment. Try again shortly."
        case .storageFull: "The server's disk is full: it can be read, and nothing can be added until there is room."
        case .storageCorrupt: "A part of the database is damaged. The server's operator must restore it."
        case .idSpaceExhausted: "No ids are left."
        }
    }

    /// The database could not be read or written just now, whatever was asked.
    package var isOfStorage: Bool { self != .idSpaceExhausted }
}
