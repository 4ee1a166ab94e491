import Database
import Foundation
import Glibc
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import GraphServices
@testable import MediaFiles

/// Permissions of a data directory.
@Suite(.timeLimit(.process))
struct DataDirectoryTests {
    private func mode(_ path: String) throws -> mode_t {
        guard let status = FileStatus(path, followsLinks: false) else { throw FileFailure("lstat") }
        return status.mode & 0o777
    }

    private func withDirectory(_ body: (String) async throws -> Void) async throws {
        let path = temporaryPath("directory")
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    /// Returns the paths in a directory that other users may access.
    private func open(in path: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).filter { try mode(path + "/" + $0) & 0o077 != 0 }
    }

    @Test func `a server leaves nothing that others may read`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let client = server.client(try await server.person())
            _ = try await client.store(SampleFile.png())
            _ = try await client.publish()
            #expect(try mode(server.directory.path) == 0o700)
            #expect(try open(in: server.directory.path) == [])
            // A directory of an earlier version gets the stricter permissions, and the log says so.
            _ = await server.stop()
            chmod(server.directory.path, 0o755)
            let files = try FileManager.default.contentsOfDirectory(atPath: server.directory.path)
            for file in files where !file.hasSuffix(".key") { chmod(server.directory.path + "/" + file, 0o755) }
            try await server.start()
            #expect(try mode(server.directory.path) == 0o700)
            #expect(try open(in: server.directory.path) == [])
            #expect(server.logLines.contains { $0.contains("access of other users to files of the data directory") })
        }
    }

    @Test(arguments: [0o777, 0o770, 0o702] as [mode_t])
    func `a directory that others may write to is refused`(mode: mode_t) async throws {
        try await withDirectory { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            chmod(path, mode)
            let refused = try GraphdProcess(["serve", "--data-dir", path, "--port", "0"])
            #expect(await refused.wait() != .exited(0))
            #expect(refused.lines.contains { $0.contains("chmod 700 \(path)") }, "\(refused.lines)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
        }
    }

    @Test func `a directory of somebody else is refused`() async throws {
        try await withDirectory { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            chmod(path, 0o700)
            let error = #expect(throws: CommandFailure.self) {
                try DataDirectory(path: path).closeToOthers(as: geteuid() + 1)
            }
            #expect(error.map { "\($0)".contains("belongs to user \(geteuid())") } == true)
        }
    }

    @Test func `a directory that may not be read is not taken for one without a database`() async throws {
        try await withDirectory { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let directory = DataDirectory(path: path)
            let unreadable = directory.unusable(because: EACCES).description
            #expect(unreadable.contains("may not read the data directory \(path)"))
            #expect(unreadable.contains("sudo -u '#\(geteuid())' graphd"))
            let refusal = #expect(throws: CommandFailure.self) { try DataDirectory.open(at: path) }
            #expect(refusal == directory.unusable(because: ENOENT))
            #expect(refusal?.description.contains("is not a data directory of graphd") == true)
        }
    }

    @Test func `links and files that vanish are left alone`() async throws {
        try await withDirectory { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let outside = path + "-outside"
            defer { try? FileManager.default.removeItem(atPath: outside) }
            try Data().write(to: URL(fileURLWithPath: outside))
            chmod(outside, 0o644)
            try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: outside)
            try FileManager.default.createSymbolicLink(atPath: path + "/nothing", withDestinationPath: path + "/no")
            try Data().write(to: URL(fileURLWithPath: path + "/file"))
            chmod(path + "/file", 0o644)
            chmod(path, 0o755)
            #expect(try DataDirectory(path: path).closeToOthers().sorted() == [path, path + "/file"])
            #expect(try mode(outside) == 0o644)
            #expect(try mode(path + "/file") == 0o600)
            #expect(try DataDirectory(path: path).closeToOthers() == [])
        }
    }
}
