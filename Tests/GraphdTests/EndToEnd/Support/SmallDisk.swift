import Foundation
import Glibc

@testable import GraphServices
@testable import MediaFiles

/// A file system of a few megabytes, for tests that fill it: a tmpfs in a mount namespace of its own, which needs no
/// privileges. It exists as long as its holder process, and is reached through that process' root.
final class SmallDisk: Sendable {
    /// The mount point in the namespace.
    static let mount = "/tmp"
    private static var isRoot: Bool { geteuid() == 0 }

    let path: String
    private let holder: GraphdProcess
    private var filler: String { path + "/filler" }

    /// Runs `body` with an empty disk of `bytes` bytes.
    static func with<T>(bytes: Int, _ body: (SmallDisk) async throws -> T) async throws -> T {
        let disk = try await SmallDisk(bytes: bytes)
        do {
            let value = try await body(disk)
            await disk.end()
            return value
        } catch {
            await disk.end()
            throw error
        }
    }

    private init(bytes: Int) async throws {
        // Root needs no user namespace, and may not create one in a container.
        let flags = Self.isRoot ? "-m" : "-rm"
        let script = """
            mount -t tmpfs -o size=\(bytes),mode=0700 tmpfs \(Self.mount) || exit 1
            echo mounted >&2
            exec sleep infinity
            """
        holder = try GraphdProcess([flags, "sh", "-c", script], executable: "/usr/bin/unshare")
        _ = try await holder.line { $0 == "mounted" }
        path = "/proc/\(holder.pid)/root\(Self.mount)"
    }

    /// The beginning of a command whose program sees the disk at ``mount``.
    var entering: [String] {
        let users = Self.isRoot ? [] : ["-U", "--preserve-credentials"]
        return ["/usr/bin/nsenter", "-t", "\(holder.pid)", "-m"] + users + ["--"]
    }

    /// Runs a program that sees the disk at ``mount``.
    func run(_ command: [String]) throws -> GraphdProcess {
        try GraphdProcess(Array(entering.dropFirst()) + command, executable: entering[0])
    }

    private func end() async {
        holder.signal(SIGKILL)
        _ = await holder.wait()
    }

    /// Fills the disk until `left` bytes are free; with 0, until no more can be written.
    func fill(leaving left: Int) throws {
        let file = open(filler, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { throw FileFailure("open") }
        defer { close(file) }
        var piece = [UInt8](repeating: 1, count: 65_536)
        while let free = DiskSpace.free(at: path), free > left {
            let count = left == 0 ? piece.count : min(piece.count, Int(free) - left)
            let written = write(file, &piece, count)
            if written < 0, errno == ENOSPC { return }
            guard written >= 0 else { throw FileFailure("write") }
        }
    }

    /// Frees everything that ``fill(leaving:)`` has taken.
    func clear() throws {
        guard unlink(filler) == 0 || errno == ENOENT else { throw FileFailure("unlink") }
    }
}
