import CommandSupport
import Foundation
import GraphAPI
import StrictJSON

/// The login stored by `graphd login`: a server and tokens for it.
struct Login: Sendable, Equatable {
    var server: String
    var username: String
    var token: String
    /// The time of expiry in RFC 3339.
    var expiresAt: String
    var refreshToken: String
}

/// The file that holds the login, readable only by its owner.
struct LoginFile: Sendable {
    let path: String

    private var directory: String { (path as NSString).deletingLastPathComponent }

    init(path: String) { self.path = path }

    /// The file below `XDG_CONFIG_HOME`, or else `~/.config`. Fails if neither is known.
    init?(environment: [String: String]) {
        if let configuration = environment["XDG_CONFIG_HOME"], configuration.hasPrefix("/") {
            path = configuration + "/graphd/login.json"
        } else if let home = environment["HOME"], !home.isEmpty {
            path = home + "/.config/graphd/login.json"
        } else {
            return nil
        }
    }

    /// Reads the login; nil if nobody has signed in. Throws ``ModerationFailure`` for a file that others may read, or
    /// that has another format.
    func read() throws -> Login? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        let owner = (attributes[.ownerAccountID] as? NSNumber)?.uint32Value
        guard let mode = attributes[.posixPermissions] as? Int, mode & 0o077 == 0, owner == getuid(),
            let text = FileManager.default.contents(atPath: path)
        else {
            throw ModerationFailure(
                .refused, "\(path) can be read or written by other users and is ignored. Run: chmod 600")
        }
        guard let json = try? JSONReader.read(Array(text)), let server = json.member("server")?.stringValue,
            let token = json.member("token")?.stringValue
        else {
            throw ModerationFailure(.badData, "\(path) is not a graphd login. Sign in again: graphd login.")
        }
        return Login(
            server: server, username: json.member("username")?.stringValue ?? "", token: token,
            expiresAt: json.member("expiresAt")?.stringValue ?? "",
            refreshToken: json.member("refreshToken")?.stringValue ?? "")
    }

    /// Replaces the file atomically, so that no reader sees half of it.
    func write(_ login: Login) throws(ModerationFailure) {
        let text = JSONValue.members(
            ("server", .string(login.server)), ("username", .string(login.username)), ("token", .string(login.token)),
            ("expiresAt", .string(login.expiresAt)), ("refreshToken", .string(login.refreshToken)))
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let new = "\(path).\(getpid())"
            unlink(new)
            let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            defer { close(file) }
            try FileHandle(fileDescriptor: file, closeOnDealloc: false).write(contentsOf: Data(text.bytes))
            guard fsync(file) == 0, rename(new, path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        } catch {
            throw ModerationFailure(.failed, "\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    func remove() { unlink(path) }
}
