import CommandSupport
import Database
import Glibc

/// A failed call of the file system, in words for the operator.
struct FileFault: Error, CustomStringConvertible, Equatable {
    /// The act that failed, as in "cannot be read".
    let act: String
    let path: String
    /// The value of `errno`.
    let number: Int32

    /// - Parameter number: the value of `errno`; by default the present one.
    init(_ act: String, _ path: String, number: Int32 = errno) {
        self.act = act
        self.path = path
        self.number = number
    }

    var isMissingFile: Bool { number == ENOENT || number == ENOTDIR }

    var description: String {
        switch number {
        case ENOSPC, EDQUOT:
            "The disk of \(path) is full. Free space on it, or name a directory on another disk."
        case ELOOP: "\(path) is a symbolic link, where a file or a directory was expected."
        default: "\(path) cannot be \(act): \(String(cString: strerror(number)))."
        }
    }
}

/// A file whose content is not what was recorded of it.
struct DamagedFile: Error, CustomStringConvertible, Equatable {
    let path: String
    /// The difference, as the end of a sentence.
    let difference: String

    var description: String { "\(path) is damaged: \(difference)." }
}

extension CommandFailure {
    /// The failure of a database that is copied or checked.
    init(_ error: DatabaseError, during act: String) {
        switch error {
        case .storageFull(let detail):
            self.init("The disk is full, and the \(act) was undone. Free space on it: \(detail)")
        case .storageCorrupt(let detail):
            self.init("The database is damaged, and the \(act) was undone: \(detail)")
        case .storage(let detail): self.init("The database cannot be used, and the \(act) was undone: \(detail)")
        case .busy, .idSpaceExhausted: self.init("The \(act) was undone: \(error.answer.message)")
        }
    }
}
