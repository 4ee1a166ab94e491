import Database
import Foundation
import Glibc
import SocialGraph

/// Permissions of a data directory: no other user may read its content or add to it.
extension DataDirectory {
    /// Removes other users' rights to read. Returns the paths that were changed.
    ///
    /// - Throws: ``CommandFailure`` for a directory that another user owns, or that others may write to: its content
    ///   may have been put there by them.
    @discardableResult
    func closeToOthers(as user: uid_t = geteuid()) throws -> [String] {
        // Applies to files that this process creates from now on.
        umask(0o077)
        guard let status = FileStatus(path) else {
            throw CommandFailure("The data directory \(path) cannot be examined: \(String(cString: strerror(errno))).")
        }
        guard status.owner == user else {
            throw CommandFailure(
                "The data directory \(path) belongs to user \(status.owner), and graphd runs as user \(user). Run it "
                    + "as that user, or change its owner: chown -R \(user) \(path)")
        }
        guard status.mode & 0o022 == 0 else {
            throw CommandFailure(
                "Other users can write to the data directory \(path) (mode \(Self.octal(status.mode))). Check that "
                    + "everything in it is yours, then run: chmod 700 \(path)")
        }
        var changed: [String] = []
        for file in [path] + Self.entries(of: path) where try Self.tighten(file, of: user) { changed.append(file) }
        return changed
    }

    private static func entries(of path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).map { path + "/" + $0 }
    }

    /// Returns true if others had a right that was removed. Links and files of other users are left alone.
    private static func tighten(_ path: String, of user: uid_t) throws -> Bool {
        guard let status = FileStatus(path, followsLinks: false), status.owner == user,
            status.mode & S_IFMT != S_IFLNK
        else { return false }
        guard status.mode & 0o077 != 0 else { return false }
        guard chmod(path, status.mode & 0o700) == 0 else {
            // The file was removed after it was listed, as temporary files are.
            if errno == ENOENT { return false }
            throw CommandFailure(
                "Other users have rights on \(path), and these cannot be revoked: \(String(cString: strerror(errno))). "
                    + "Run: chmod go-rwx \(path)")
        }
        return true
    }

    private static func octal(_ mode: mode_t) -> String { String(mode & 0o777, radix: 8) }

    /// Creates the database file if there is none, readable by no other user from the first byte on.
    ///
    /// An existing file is not opened: closing it would drop the locks that SQLite holds on it for other connections of
    /// this process.
    func createDatabaseFile() {
        let file = Foundation.open(database, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
    }
}
