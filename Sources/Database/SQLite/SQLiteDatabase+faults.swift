import Foundation
import GRDB
import GRDBSQLite

/// Failures of the disk and of the file, distinguished from all others.
extension SQLiteDatabase {
    /// The error to throw for an error of the engine; recorded in ``health``.
    ///
    /// - Parameter database: the connection that failed, whose last system error gives the cause; nil: unknown.
    func failure(_ error: any Error, on database: Database? = nil) -> DatabaseError {
        if let error = error as? DatabaseError { return error }
        let detail = "\(error)"
        guard let error = error as? EngineError else { return .storage(detail: detail) }
        let number = database.map { sqlite3_system_errno($0.sqliteConnection) } ?? 0
        switch StorageFault(error.extendedResultCode.rawValue, system: number) {
        case .full:
            health.noteFull()
            return .storageFull(detail: detail)
        case .corrupt:
            health.noteCorruption(detail)
            return .storageCorrupt(detail: detail)
        case nil: return .storage(detail: detail)
        }
    }

    /// The error to throw for a file that could not be opened.
    static func failure(_ error: EngineError, opening path: String) -> DatabaseError {
        switch StorageFault(error.extendedResultCode.rawValue, system: errno) {
        case .full: .storageFull(detail: "\(path): \(error)")
        case .corrupt: .storageCorrupt(detail: "\(path): \(error)")
        case nil: .storage(detail: "\(path): \(error)")
        }
    }

    /// A check of every page of the file.
    package func corruptionCheck() -> CorruptionCheck? { CorruptionCheck(path: path, health: health) }
}

/// Classifies damage to the file by the engine's result and the system's error.
enum StorageFault {
    case full
    case corrupt

    init?(_ code: CInt, system number: CInt) {
        switch code & 0xFF {
        case SQLITE_FULL: self = .full
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
        // A quota of the file system, or a limit of the process, is reported as an input/output error.
        case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(number): self = .full
        case SQLITE_IOERR where code == SQLITE_IOERR | (19 << 8): self = .full
        case SQLITE_CANTOPEN where [ENOSPC, EDQUOT].contains(number): self = .full
        default: return nil
        }
    }
}
