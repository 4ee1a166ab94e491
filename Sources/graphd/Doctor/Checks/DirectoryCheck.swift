import CommandSupport
import Database
import Glibc

/// The data directory: whether it exists, to whom it belongs, and who else may use it. Nothing in it is changed.
struct DirectoryCheck: Equatable {
    /// Attributes of the directory.
    struct Attributes: Equatable {
        let owner: uid_t
        /// Permission bits.
        let mode: mode_t
    }

    let path: String
    /// Nil if there is no such directory.
    let attributes: Attributes?
    let hasDatabase: Bool
    /// The user that runs the check.
    let user: uid_t

    /// True if the other checks may open files of the directory. A file that SQLite creates for another user would
    /// keep the server of its owner from opening the database.
    var mayBeOpened: Bool { hasDatabase && attributes?.owner == user }

    var finding: Finding {
        guard let attributes else {
            return Finding(
                .directory, .failure, "There is no data directory \(path).",
                remedy: "Name it with --data-dir, or create one with 'graphd serve' or 'graphd import'.")
        }
        guard attributes.owner == user else {
            return Finding(
                .directory, .failure,
                "The data directory \(path) belongs to user \(attributes.owner), and this is user \(user): nothing in "
                    + "it was examined.",
                remedy: "Run it as that user: sudo -u '#\(attributes.owner)' graphd doctor …")
        }
        guard hasDatabase else {
            return Finding(
                .directory, .failure, "\(path) is not a data directory of graphd: it has no database.",
                remedy: "Name one with --data-dir, or create one with 'graphd serve' or 'graphd import'.")
        }
        if attributes.mode & 0o022 != 0 {
            return Finding(
                .directory, .failure, "Other users can write to the data directory \(path), so no server starts on it.",
                remedy: "Check that everything in it is yours, then run: chmod 700 \(path)")
        }
        if attributes.mode & 0o055 != 0 {
            return Finding(
                .directory, .warning, "Other users can read the data directory \(path), which holds keys.",
                remedy: "Run: chmod 700 \(path) (a server does so when it starts).")
        }
        if user == 0 {
            return Finding(
                .directory, .note, "The data directory \(path) belongs to root. graphd needs no rights of root.",
                remedy: nil)
        }
        return Finding(.directory, .sound, "\(path) is closed to other users.")
    }
}

extension DirectoryCheck {
    init(_ directory: DataDirectory, user: uid_t = geteuid()) {
        let status = FileStatus(directory.path).flatMap { $0.mode & S_IFMT == S_IFDIR ? $0 : nil }
        self.init(
            path: directory.path, attributes: status.map { Attributes(owner: $0.owner, mode: $0.mode & 0o777) },
            hasDatabase: directory.isUsed, user: user)
    }
}
