import ArgumentParser
import Foundation
import Glibc
import GraphdClient
import TestSupport
import Testing

@testable import CommandSupport
@testable import graphd

/// The judgement of a running server, of its Redis and of the report as a whole, from facts.
@Suite(.timeLimit(.unit))
struct ServerFindingTests {
    @Test(
        arguments: [
            (#"{"status":"ready","database":"up","redis":"up","outbox":{"pending":3,"oldestSeconds":60}}"#, [.sound]),
            (#"{"status":"ready","database":"up","redis":"up","outbox":{"pending":3,"oldestSeconds":61}}"#, [.warning]),
            (#"{"status":"ready","database":"up","redis":"down"}"#, [.warning]),
            (#"{"status":"unavailable","database":"down","redis":"up"}"#, [.failure]),
            (#"{"status":"degraded","problems":[{"code":"disk_low","detail":"Free space."}]}"#, [.warning]),
            (#"{"status":"ready"}"#, [.sound]),
        ] as [(String, [Finding.Level])])
    func `a server is judged by its readiness`(_ json: String, _ levels: [Finding.Level]) throws {
        let answer = try JSONDecoder().decode(Readiness.self, from: Data(json.utf8))
        let check = ServerCheck(pid: 7, address: "http://[::1]:1", answer: .ready(answer))
        #expect(check.findings.map(\.level) == levels, "\(check.findings)")
    }

    @Test func `the sections of the guide to incidents that the doctor names exist`() throws {
        let headings = try APIDescription.source("docs/operations/incidents.md").matches(of: #/\n## (\w+)/#)
        let names = Set(headings.map { String($0.1) })
        // Sources of the doctor, from Tests/GraphdTests/Doctor/ServerFindingTests.swift
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let folder = root.path + "/Sources/graphd/Doctor"
        let sources = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
        let named = try sources.flatMap { source -> [String] in
            let text = try String(contentsOfFile: "\(folder)/\(source)", encoding: .utf8)
            return text.matches(of: #/incidents\.md, (\w+)/#).map { String($0.1) }
        }
        #expect(!named.isEmpty)
        for name in named { #expect(names.contains(name), "\(name)") }
    }

    @Test func `the nodes of a Redis Cluster are looked at through its first seed`() {
        let check = RedisClusterCheck(address: "10.0.0.1:7000,10.0.0.2:7000", masters: 3, uncovered: 2)
        #expect(check.findings.map(\.remedy) == ["Look at its nodes: redis-cli --cluster check 10.0.0.1:7000"])
    }

    @Test func `a silent server fails, and one behind TLS is not asked`() {
        #expect(ServerCheck(pid: 7, address: "a", answer: .silent("none")).findings.map(\.level) == [.failure])
        #expect(ServerCheck(pid: 7, address: "", answer: .unasked).findings.map(\.level) == [.note])
    }

    @Test func `an address in use keeps a server from starting`() {
        #expect(ServerCheck.absent {}.map(\.level) == [.note])
        let findings = ServerCheck.absent { throw CommandFailure("Port 1 is in use.") }
        #expect(findings.map(\.level) == [.failure] && findings[0].detail.hasSuffix("Port 1 is in use."))
    }

    @Test func `a server is asked where a program of this machine reaches it`() throws {
        func address(_ settings: [Setting: String]) throws -> String? {
            try ServerConfiguration.load(commandLine: settings, environment: [:]).localAddress
        }
        #expect(try address([.host: "0.0.0.0", .port: "81"]) == "http://127.0.0.1:81")
        #expect(try address([.host: "::", .port: "81"]) == "http://[::1]:81")
        #expect(try address([.host: "192.0.2.1", .port: "81"]) == "http://192.0.2.1:81")
        let encrypted: [Setting: String] = [.tlsCertificate: "/c", .tlsKey: "/k"]
        #expect(try address(encrypted) == nil)
        #expect(try address(encrypted.merging([.adminAddress: "127.0.0.1:82"]) { $1 }) == "http://127.0.0.1:82")
    }

    private func redis(_ change: (inout RedisCheck.State) -> Void) -> [Finding.Level] {
        var state = RedisCheck.State(version: "7.0.15", memory: 1_000, listpackEntries: 256)
        change(&state)
        return RedisCheck(
            address: "redis://h/0", isPrivate: false, state: state, failure: nil, neededEntries: 256
        ).findings.map(\.level)
    }

    @Test func `a Redis is judged by its settings`() {
        #expect(redis { _ in } == [.sound])
        #expect(redis { $0.listpackEntries = nil } == [.sound])
        #expect(redis { $0.listpackEntries = 255 } == [.warning])
        #expect(redis { $0.role = "slave" } == [.failure])
        #expect(redis { $0.version = "6.2.1" } == [.warning])
        #expect(redis { $0.mostMemory = 2_000 } == [.warning])
        #expect(redis { ($0.mostMemory, $0.evictionPolicy) = (2_000, "allkeys-lru") } == [.sound])
        #expect(redis { ($0.mostMemory, $0.evictionPolicy) = (1_100, "allkeys-lru") } == [.warning])
        #expect(redis { $0.idleTimeout = 60 } == [.warning])
        #expect(redis { $0.isPersistent = true } == [.sound, .note])
        let absent = RedisCheck(
            address: "redis://h/0", isPrivate: false, state: nil, failure: "refused", neededEntries: 256)
        #expect(absent.findings.map(\.level) == [.failure])
    }

    @Test func `the limit of a process is the first number of its line`() {
        let text = """
            Limit                     Soft Limit           Hard Limit           Units
            Max processes             95567                95567                processes
            Max open files            1024                 20000                files
            """
        #expect(ServingProcess.mostFiles(text) == 1_024)
        #expect(ServingProcess.mostFiles("Max open files            unlimited unlimited files") == nil)
        #expect(ServingProcess.mostFiles("") == nil)
    }

    @Test func `a server whose open files are hidden is known by its lock`() throws {
        let list = """
            1: POSIX  ADVISORY  WRITE 11 08:01:4711 0 EOF
            2: FLOCK  ADVISORY  WRITE 12 08:01:4712 0 EOF
            3: FLOCK  ADVISORY  WRITE 0 08:01:4711 0 EOF
            3: -> FLOCK  ADVISORY  WRITE 13 08:01:4711 0 EOF
            4: FLOCK  ADVISORY  WRITE 1834 08:01:4711 0 EOF
            """
        #expect(FileLocks.holder(of: "08:01:4711", in: list) == 1_834)
        #expect(FileLocks.holder(of: "08:01:471", in: list) == nil)
        #expect(FileLocks.holder(of: "08:01:4711", in: "") == nil)
        let directory = DataDirectory(path: try makeTemporaryDirectory("lock"))
        defer { try? FileManager.default.removeItem(atPath: directory.path) }
        #expect(FileLocks.holder(of: directory.servingLock) == nil)
        let lock = try directory.lockForServing()
        #expect(FileLocks.holder(of: directory.servingLock) == Int(getpid()))
        withExtendedLifetime(lock) {}
    }

    @Test func `each of hundreds of locks has a holder`() throws {
        let directory = try makeTemporaryDirectory("locks")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let paths = (0..<300).map { "\(directory)/\($0)" }
        let files = paths.map { open($0, O_CREAT | O_RDWR | O_CLOEXEC, 0o600) }
        defer { for file in files { close(file) } }
        for file in files { try #require(flock(file, LOCK_EX) == 0) }
        #expect(paths.filter { FileLocks.holder(of: $0) != Int(getpid()) } == [])
    }

    @Test func `a report is as bad as its worst finding, and in the order of the parts`() {
        func report(_ levels: Finding.Level...) -> DoctorReport {
            DoctorReport(
                zip([Finding.Part.backup, .disk, .clock], levels).map { Finding($0, $1, "\($0)", remedy: "r") })
        }
        #expect(report(.sound, .note).exitCode.rawValue == 0)
        #expect(report(.sound, .warning, .note).exitCode.rawValue == 2)
        #expect(report(.warning, .failure).exitCode.rawValue == 1)
        #expect(DoctorReport([]).level == .sound)
        #expect(
            report(.warning, .failure, .sound).lines(on: .plain)
                == ["failure\tdisk\tdisk\tr", "sound\tclock\tclock\tr", "warning\tbackup\tbackup\tr"])
        let shown = report(.warning).lines(on: OutputChannel(columns: 80, hasColours: false))
        #expect(shown == ["warning  backup       backup", "                      r"])
    }

    @Test func `terminals get no control characters`() {
        let report = DoctorReport([Finding(.backup, .warning, "a\u{1B}[2Jb", remedy: "c\u{7}")])
        #expect(report.lines(on: .plain).allSatisfy { !$0.contains("\u{1B}") && !$0.contains("\u{7}") })
    }

    @Test(
        arguments: [
            (0, "0 bytes"), (1_023, "1023 bytes"), (1_024, "1 KiB"), (1_536, "1.5 KiB"), (10 << 20, "10 MiB"),
            ((10 << 20) + (1 << 19), "10 MiB"), (3 << 40, "3 TiB"), (.max, "7.9 EiB"),
        ] as [(Int64, String)])
    func `sizes are read by people`(_ bytes: Int64, _ text: String) {
        #expect(ByteText.text(bytes) == text)
    }

    @Test(
        arguments: [
            (-5, "0 seconds"), (1_000, "1 second"), (119_999, "119 seconds"), (120_000, "2 minutes"),
            (7_200_000, "2 hours"), (172_799_999, "47 hours"), (172_800_000, "2 days"),
        ] as [(Int64, String)])
    func `ages are read by people`(_ milliseconds: Int64, _ text: String) {
        #expect(AgeText.text(milliseconds) == text)
    }
}
