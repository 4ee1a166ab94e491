import Foundation
import Glibc
import Logging

/// A `redis-server` that a killed parent has left on a socket. It is ended, never adopted: its windows may be older
/// than the database, and nobody would stop it.
struct PrivateRedisLeftover {
    let socketPath: String
    let logger: Logger
    /// Time from SIGTERM to SIGKILL.
    var grace: Duration = .seconds(2)

    /// Returns once no `redis-server` of this user serves the socket any more.
    func end() async throws {
        for pid in await servers() {
            logger.warning("stopping a redis-server that an earlier run left behind", metadata: ["redis.pid": "\(pid)"])
            kill(pid, SIGTERM)
            if try await !isGone(pid, within: grace) {
                kill(pid, SIGKILL)
                guard try await isGone(pid, within: max(grace, .seconds(5))) else {
                    throw RedisError(
                        .invalidConfiguration,
                        "The redis-server with process id \(pid) still holds \(socketPath) and cannot be stopped."
                    )
                }
            }
        }
    }

    /// The servers whose command line names exactly this socket, and the one that answers on it.
    func servers() async -> Set<pid_t> {
        var found = Set<pid_t>()
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for pid in processes.compactMap(pid_t.init) where isServer(pid) && namesSocket(pid) { found.insert(pid) }
        if let pid = await listener(), isServer(pid) { found.insert(pid) }
        return found
    }

    private func listener() async -> pid_t? {
        guard FileManager.default.fileExists(atPath: socketPath) else { return nil }
        var configuration = RedisConfiguration(endpoint: .unix(path: socketPath))
        configuration.connectTimeout = .milliseconds(500)
        return try? await RedisProbe.processID(configuration)
    }

    /// Returns whether `pid` is a living process of this user with the name of a redis-server.
    private func isServer(_ pid: pid_t) -> Bool {
        var status = stat()
        guard stat("/proc/\(pid)", &status) == 0, status.st_uid == geteuid(),
            let name = FileManager.default.contents(atPath: "/proc/\(pid)/comm")
        else { return false }
        return name.starts(with: Array("redis-server".utf8)) && !isGone(pid)
    }

    private func namesSocket(_ pid: pid_t) -> Bool {
        // The title at the start, or the one that Redis sets once it listens: `redis-server unixsocket:/path`.
        let arguments = arguments(pid)
        if let option = arguments.firstIndex(of: "--unixsocket"), arguments.dropFirst(option + 1).first == socketPath {
            return true
        }
        let title = arguments.joined(separator: " ")
        guard let start = title.range(of: "unixsocket:")?.upperBound else { return false }
        return title[start...] == socketPath || title[start...].hasPrefix(socketPath + " ")
    }

    private func arguments(_ pid: pid_t) -> [String] {
        guard let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else { return [] }
        return line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private func isGone(_ pid: pid_t, within limit: Duration) async throws -> Bool {
        let deadline = ContinuousClock.now + limit
        while !isGone(pid) {
            guard ContinuousClock.now < deadline else { return false }
            // The process is not our child, so it cannot be waited on.
            try await Task.sleep(for: .milliseconds(5))
        }
        return true
    }

    /// Returns whether the process has ended. A zombie counts as gone: it holds nothing, and its new parent has to reap
    /// it.
    private func isGone(_ pid: pid_t) -> Bool {
        guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return true }
        // The state follows the name, which is in parentheses and may contain any character.
        let rest = String(decoding: data, as: UTF8.self).split(separator: ")").last ?? ""
        return rest.split(separator: " ").first.map { $0 == "Z" || $0 == "X" } ?? true
    }
}
