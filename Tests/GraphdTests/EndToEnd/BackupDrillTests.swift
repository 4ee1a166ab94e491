import Database
import Foundation
import Glibc
import GraphServices
import ServiceTestSupport
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import Backup
@testable import CommandSupport
@testable import StrictJSON

/// Backups by the program, beside a server that is used and killed.
@Suite(.serialized, .timeLimit(.process))
struct BackupDrillTests {
    /// One act that a server has acknowledged.
    private enum Acknowledgement: Sendable {
        case post(String, by: Person)
        case like(String, by: Person)
        case follow(Person, by: Person)
        case file(String, [UInt8], by: Person)
    }

    private final class Acknowledgements: Sendable {
        private let list = Mutex<[Acknowledgement]>([])
        private let isOver = Mutex(false)

        var all: [Acknowledgement] { list.withLock { $0 } }
        var goesOn: Bool { !isOver.withLock { $0 } }
        func add(_ one: Acknowledgement) { list.withLock { $0.append(one) } }
        func end() { isOver.withLock { $0 = true } }
    }

    /// Posts, likes, follows and stores files until the server is gone or the load ends.
    private static func load(
        _ server: GraphdServer, _ person: Person, _ others: [Person], _ done: Acknowledgements
    ) async {
        let client = server.client(person)
        var number = 0
        while done.goesOn {
            do {
                number += 1
                let post = try await client.publish("\(person.username) \(number)")
                done.add(.post(post, by: person))
                if try await client.put("/v1/posts/\(post)/like").status == 200 { done.add(.like(post, by: person)) }
                let other = others[number % others.count]
                if other.id != person.id {
                    let answer = try await client.put("/v1/users/\(other.idText)/follow")
                    if answer.status < 300 { done.add(.follow(other, by: person)) }
                }
                let bytes = SampleFile.mp4(bytes: 1_000 + number)
                let path = try await client.store(bytes)
                done.add(.file(path, bytes, by: person))
                _ = try await client.publish(with: #""category":"c\#(number)""#)
            } catch is UnexpectedAnswer {
                // The database has not answered in time.
            } catch {
                // The server was killed.
                return
            }
        }
    }

    /// Expects that the server at `port` honours every acknowledgement.
    private static func check(_ acknowledged: [Acknowledgement], _ server: GraphdServer, port: Int) async throws {
        for one in acknowledged {
            switch one {
            case .post(let post, let person):
                let answer = try await server.client(person, port: port).get("/v1/posts/\(post)")
                #expect(answer.status == 200, "\(one): \(answer)")
            case .like(let post, let person):
                let answer = try await server.client(person, port: port).get("/v1/posts/\(post)")
                #expect(try answer.json["viewer"]?["liked"] == .bool(true), "\(one): \(answer)")
            case .follow(let other, let person):
                let list = "/v1/users/\(person.idText)/following"
                let people = try await server.client(person, port: port).walk(list)
                #expect(people.contains { $0["userId"]?.text == other.idText }, "\(one)")
            case .file(let path, let bytes, let person):
                let answer = try await server.client(person, port: port).get(path)
                #expect(answer.status == 200 && answer.body == bytes, "\(path): \(answer.status)")
            }
        }
    }

    /// Serves a restored graph while `body` runs.
    private static func serving(_ place: [String], _ body: (Int) async throws -> Void) async throws {
        let process = try GraphdProcess(["serve", "--port", "0", "--limits", "off"] + place)
        do {
            let line = try await process.line { $0.contains("\"message\":\"listening\"") }
            try await body(
                try #require(try JSONReader.read(Array(line.utf8))["port"]?.text.flatMap { Int($0) }))
        } catch {
            process.signal(SIGKILL)
            _ = await process.wait()
            throw error
        }
        process.signal(SIGTERM)
        #expect(await process.wait() == .exited(0))
    }

    @Test func `everything acknowledged before a backup is in a restored copy`() async throws {
        try await Self.drill(.init(), restoringTo: nil)
    }

    @Test func `everything acknowledged before a backup of a database is in a restored one`() async throws {
        let server = try await PostgreSQLServer.shared()
        let source = server.url(of: try await server.newDatabase())
        try await Self.drill(
            .init(database: source), restoringTo: server.url(of: try await server.newDatabase()))
    }

    /// Backs up a server that is used, kills it, restores the backup elsewhere and checks all that was acknowledged
    /// before.
    ///
    /// - Parameter database: the database that the backup is restored into; nil: a file.
    private static func drill(_ storage: GraphdServer.Storage, restoringTo database: String?) async throws {
        try await withTemporaryDirectory("drill") { root in
            try await GraphdServer.running(in: .process, on: storage) { server in
                var people: [Person] = []
                for _ in 0..<4 { people.append(try await server.person()) }
                let before = try await backUp(server, people, root + "/backup")
                let place = ["--data-dir", root + "/new"] + (database.map { ["--database", $0] } ?? [])
                let run = try await server.command(["restore", root + "/backup", "--json"] + place, environment: [:])
                try #require(run.end == .exited(0), "\(run)")
                let json = try run.json
                #expect(json.member("timelines")?.integerValue == 4 && json.member("windows")?.integerValue == 4)
                try await serving(place) { port in
                    try await check(before, server, port: port)
                    let verified = try await server.command(["timelines", "verify", "--all"] + place, environment: [:])
                    #expect(verified.end == .exited(0), "\(verified)")
                }
            }
        }
    }

    /// Backs up under load, and kills the server. Returns what it had acknowledged before.
    private static func backUp(
        _ server: GraphdServer, _ people: [Person], _ target: String
    ) async throws -> [Acknowledgement] {
        let done = Acknowledgements()
        let before = try await withThrowingTaskGroup(of: Void.self) { group in
            for person in people { group.addTask { await load(server, person, people, done) } }
            while done.all.count < 60 {
                // Not for synchronisation: the pause between two polls.
                try await Task.sleep(for: .milliseconds(10))
            }
            let before = done.all
            let run = try await server.command(
                ["backup", target, "--json"] + server.storageArguments, environment: [:])
            try #require(run.end == .exited(0), "\(run)")
            #expect(try run.json.member("media")?.integerValue ?? 0 > 0)
            await server.kill()
            done.end()
            try await group.waitForAll()
            return before
        }
        #expect(done.all.count > before.count, "nothing was acknowledged during the backup")
        return before
    }

    @Test func `a killed backup leaves nothing under its name`() async throws {
        try await withTemporaryDirectory("kill") { root in
            try await GraphdServer.prepared(in: .process) { server in
                let owner = try await server.person()
                try await Self.fill(server, 200, owner)
                let arguments = ["--data-dir", server.directory.path, "--copy-media"]
                var (interrupted, round) = (0, 0)
                // On a busy machine a backup may end before its kill.
                while interrupted < 2, round < 30 {
                    round += 1
                    let target = root + "/backup\(round)"
                    let process = try GraphdProcess(["backup", target] + arguments)
                    while try !Self.isUnderWay(root), process.isRunning {
                        // Not for synchronisation: the pause between two polls.
                        try await Task.sleep(for: .milliseconds(1))
                    }
                    process.signal(SIGKILL)
                    guard await process.wait() == .signalled(SIGKILL) else { continue }
                    guard FileManager.default.fileExists(atPath: target) else {
                        interrupted += 1
                        continue
                    }
                    // The kill came after the last step, the renaming. Then nothing may be missing.
                    try await server.command(
                        ["restore", target, "--data-dir", root + "/new\(round)"], environment: [:]
                    ).expect(0)
                }
                #expect(interrupted == 2, "no kill fell into a backup: nothing was tested")
                let run = try await server.command(["backup", root + "/last"] + arguments, environment: [:])
                run.expect(0)
                let names = try FileManager.default.contentsOfDirectory(atPath: root)
                #expect(!names.contains { $0.hasPrefix(PartialDirectory.prefix) }, "\(names)")
            }
        }
    }

    /// Returns whether a backup in `root` has begun to take files.
    private static func isUnderWay(_ root: String) throws -> Bool {
        let names = try FileManager.default.contentsOfDirectory(atPath: root)
        guard let partial = names.first(where: { $0.hasPrefix(PartialDirectory.prefix) }) else { return false }
        return (try? fileNames(below: root + "/" + partial + "/media").isEmpty) == false
    }

    /// Stores files beside the server.
    private static func fill(_ server: GraphdServer, _ count: Int, _ owner: Person) async throws {
        let ids = try await server.graph.media.reserveMediaIDs(count)
        let bytes = [UInt8](repeating: 1, count: 20_000)
        let files = ids.map { id in
            NewMedia(
                id: id, contentType: "video/mp4", fileName: "\(id.rawValue).mp4", bytes: Int64(bytes.count),
                sha256: FileDigest(of: bytes).sha256)
        }
        for file in files {
            let path = server.directory.path + "/" + BackupLayout.path(of: file.id, named: file.fileName)
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }
        _ = try await server.graph.media.storeMedia(files, by: owner.id)
    }

    @Test func `a full disk ends a backup with a sentence and leaves nothing`() async throws {
        // Not below the directory that the small disk covers.
        let data = "/var/tmp/graphd-backup-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: data) }
        let graph = try DataDirectory.create(at: data).openGraph()
        _ = try await graph.accounts.createAccount(username: "ann", email: nil, passwordHash: nil)
        let log = FileStatus(data + "/graph.db-wal")?.bytes ?? 0
        let size = Int(try #require(FileStatus(data + "/graph.db")).bytes + log)
        try await SmallDisk.with(bytes: 4 * size + (8 << 20)) { disk in
            // Too little for the database, and enough for it but for nothing else.
            for (left, words) in [(size / 2, "is too full"), (size, "is full")] {
                try disk.fill(leaving: left)
                let process = try disk.run(
                    [try GraphdProcess.executable, "backup", SmallDisk.mount + "/b", "--data-dir", data])
                #expect(await process.wait() == .exited(1))
                #expect(process.lines.contains { $0.contains(words) || $0.contains("is too full") }, "\(process.lines)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["filler"])
                try disk.clear()
            }
            let process = try disk.run(
                [try GraphdProcess.executable, "backup", SmallDisk.mount + "/b", "--data-dir", data])
            #expect(await process.wait() == .exited(0), "\(process.lines)")
        }
    }

    @Test func `a backup is made after a crash and without a server`() async throws {
        try await withTemporaryDirectory("crash") { root in
            try await GraphdServer.running(in: .process) { server in
                let person = try await server.person()
                let post = try await server.client(person).publish()
                await server.kill()
                let run = try await server.command(
                    ["backup", root + "/b", "--data-dir", server.directory.path], environment: [:])
                run.expect(0)
                let copy = try DatabaseFile(reading: root + "/b/graph.db")
                let count = try copy.read {
                    try $0.first(
                        "SELECT COUNT(*) FROM post WHERE id = ?1",
                        [
                            .integer(try #require(Int64(post)))
                        ]
                    ) { $0.integer(0) }
                }
                #expect(count == 1)
                try await server.start()
                #expect(try await server.client(person).get("/v1/posts/\(post)").status == 200)
            }
        }
    }
}
