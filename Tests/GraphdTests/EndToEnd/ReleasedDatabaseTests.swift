import AsyncHTTPClient
import Database
import Foundation
import GraphServices
import Processes
import ServiceTestSupport
import Sessions
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import GraphAssembly
@testable import StrictJSON

/// The database of each release, written by `tools/release-database`, and the home page that it ended with.
@Suite(.timeLimit(.process))
struct ReleasedDatabaseTests {
    private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Releases").path

    /// The versions, oldest first.
    static let releases: [String] =
        (try? FileManager.default.contentsOfDirectory(atPath: directory))?
        .filter { $0.hasSuffix(".db.gz") }.map { String($0.dropLast(6)) }.sorted() ?? []

    /// Runs `body` with a data directory that holds the database of a release.
    private func withDatabase(of release: String, _ body: (DataDirectory) async throws -> Void) async throws {
        try await withTemporaryDirectory("release") { path in
            let directory = try DataDirectory.create(at: path + "/data")
            var launch = Launch("/usr/bin/gzip", ["-dc", "\(Self.directory)/\(release).db.gz"])
            launch.output = .path(directory.database)
            try #require(try ChildProcess(launch).waitBlocking() == .exited(0))
            try await body(directory)
        }
    }

    private func schema(_ directory: DataDirectory) async throws -> [String] {
        let database = try directory.openDatabase()
        let schema = try await database.read { reader in
            try reader.rows(
                "SELECT type || ' ' || name || ': ' || COALESCE(sql, '') FROM sqlite_schema ORDER BY type, name", []
            ) { $0.text(0) }
        }
        try database.close()
        return schema
    }

    @Test func `there is a database of each release`() {
        #expect(Self.releases.contains("0.1.0"))
    }

    @Test(arguments: releases)
    func `a release's database has the tables of a new one`(release: String) async throws {
        try await withDatabase(of: release) { directory in
            let migrated = try await schema(directory)
            try await withTemporaryDirectory("fresh") { path in
                let fresh = try await schema(DataDirectory.create(at: path))
                #expect(fresh == migrated)
            }
        }
    }

    @Test(arguments: releases)
    func `a release's database serves the home page that it ended with, and keeps clean timelines`(
        release: String
    ) async throws {
        try await withDatabase(of: release) { directory in
            let process = try GraphdProcess(["serve", "--data-dir", directory.path, "--port", "0"])
            let line = try await process.line { $0.contains("\"message\":\"listening\"") }
            let port = try #require(try JSONReader.read(Array(line.utf8))["port"]?.text)
            let base = "http://127.0.0.1:\(port)"
            let guest = APIClient(http: .shared, base: base, token: nil)
            let login = try await guest.post(
                "/v1/auth/login", #"{"email":"ada@example.org","password":"correct horse"}"#)
            let token = try #require(try login.json["token"]?.text)
            let home = try await APIClient(http: .shared, base: base, token: token).get("/v1/timelines/home")
            let expected = try Data(contentsOf: URL(fileURLWithPath: "\(Self.directory)/\(release).json"))
            #expect(try home.json.ids == JSONReader.read(Array(expected)).ids)
            #expect(try home.json.ids.count >= 3)
            let verified = try GraphdProcess(["timelines", "verify", "--all", "--data-dir", directory.path])
            #expect(await verified.wait() == .exited(0), "\(verified.lines.suffix(5))")
            process.signal(SIGTERM)
            #expect(await process.wait() == .exited(0))
        }
    }

    @Test func `the commands of the guide to upgrades lead there and back`() async throws {
        try await withDatabase(of: "0.1.0") { directory in
            let root = (directory.path as NSString).deletingLastPathComponent
            for folder in ["/mnt/backups", "/var/lib", "/var/tmp", "/etc/graphd"] {
                try FileManager.default.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
            }
            // As the first start of release 0.1.0 left it.
            _ = try await TokenKeys(directory: directory.path)
            try FileManager.default.moveItem(atPath: directory.path, toPath: root + "/var/lib/graphd")
            try Data(#"{"dataDir":"/var/lib/graphd"}"#.utf8).write(
                to: URL(fileURLWithPath: root + "/etc/graphd/graphd.json"))
            let blocks = try GuideCommands.blocks(of: "docs/operations/upgrades.md")
            #expect(blocks.count == 7)
            for block in blocks {
                if block.contains("timelines verify") {
                    // The restart that comes before it.
                    try DataDirectory.open(at: root + "/var/lib/graphd").openDatabase().close()
                }
                let paths = #/\s(\/(?:mnt|var|etc)\/)/#
                try await GuideCommands.run(block.replacing(paths) { " " + root + $0.1 })
            }
            // The backup, and the directory that was copied from it, still have the tables of 0.1.0.
            for path in ["/mnt/backups/before-upgrade", "/var/lib/graphd"] {
                #expect(try Self.changes(root + path).count == 1, "\(path)")
            }
            let newer = try Self.changes(root + "/var/lib/graphd-newer")
            #expect(newer.dropFirst() == DatabaseSchema.graph.changes.map(\.name)[...])
        }
    }

    /// The names of the release and of the changes of tables that the database in a directory has.
    private static func changes(_ directory: String) throws -> [String] {
        try DatabaseFile(reading: directory + "/graph.db").schemaChanges()
    }

    @Test func `only minor releases change tables`() {
        for change in DatabaseSchema.graph.changes {
            #expect(change.name.wholeMatch(of: #/0\.\d+\.0-[a-z-]+/#) != nil, "\(change.name)")
        }
    }
}
