import Database
import Foundation
import Glibc
import SocialGraph

/// Nobody else may read what a data directory holds, or put anything into it.
extension DataDirectory {
    /// Makes sure of it: what others may only read is closed to them. Returns the paths that were changed.
    ///
    /// - Throws: ``CommandFailure`` for a directory that is somebody else's, or that others may write to: what is in it
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
                    + "as that user, or give the directory away: chown -R \(user) \(path)")
        }
        guard status.mode & 0o022 == 0 else {
            throw CommandFailure(
                "Others may write to the data directory \(path) (mode \(Self.octal(status.mode))). Check that "
                    + "everything in it is yours, then run: chmod 700 \(path)")
        }
        var changed: [String] = []
        for file in [path] + Self.entries(of: path) where try Self.tighten(file, of: user) { changed.append(file) }
        return changed
    }

    private static func entries(of path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).map { path + "/" + $0 }
    }

    /// True where others had a right that they have no more. Links and what is somebody else's are left alone.
    private static func tighten(_ path: String, of user: uid_t) throws -> Bool {
        guard let status = FileStatus(path, followsLinks: false), status.owner == user,
            status.mode & S_IFMT != S_IFLNK
        else { return false }
        guard status.mode & 0o077 != 0 else { return false }
        guard chmod(path, status.mode & 0o700) == 0 else {
            // Gone since it was listed, as temporary files are.
            if errno == ENOENT { return false }
            throw CommandFailure(
                "Others have rights on \(path), and they cannot be taken away: \(String(cString: strerror(errno))). "
                    + "Run: chmod go-rwx \(path)")
        }
        return true
    }

    private static func octal(_ mode: mode_t) -> String { String(mode & 0o777, radix: 8) }

    /// Makes the database file, if there is none, so that nobody else may read it from the first byte on.
    func createDatabaseFile() {
        let file = Foundation.open(database, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
    }
}
