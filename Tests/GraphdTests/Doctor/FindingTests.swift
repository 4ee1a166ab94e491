import Backup
import Database
import Foundation
import GraphAPI
import TestSupport
import Testing

@testable import graphd

/// The judgement of each check, from facts.
@Suite(.timeLimit(.unit))
struct FindingTests {
    private static let gibibyte: Int64 = 1 << 30

    @Test(
        arguments: [
            (nil, true, .failure, "There is no data directory /d."),
            (DirectoryCheck.Attributes(owner: 8, mode: 0o700), true, .failure, "belongs to user 8, and this is user 7"),
            (DirectoryCheck.Attributes(owner: 7, mode: 0o700), false, .failure, "has no database"),
            (DirectoryCheck.Attributes(owner: 7, mode: 0o720), true, .failure, "Other users can write"),
            (DirectoryCheck.Attributes(owner: 7, mode: 0o740), true, .warning, "Other users can read"),
            (DirectoryCheck.Attributes(owner: 7, mode: 0o701), true, .warning, "Other users can read"),
            (DirectoryCheck.Attributes(owner: 7, mode: 0o700), true, .sound, "closed to other users"),
        ] as [(DirectoryCheck.Attributes?, Bool, Finding.Level, String)])
    func `a directory is its owner's alone`(
        _ attributes: DirectoryCheck.Attributes?, _ hasDatabase: Bool, _ level: Finding.Level, _ text: String
    ) {
        let check = DirectoryCheck(path: "/d", attributes: attributes, hasDatabase: hasDatabase, user: 7)
        #expect(check.finding.level == level && check.finding.detail.contains(text), "\(check.finding)")
        #expect(check.mayBeOpened == (hasDatabase && attributes?.owner == 7))
    }

    @Test func `root is told that it need not be`() {
        let check = DirectoryCheck(path: "/d", attributes: .init(owner: 0, mode: 0o700), hasDatabase: true, user: 0)
        #expect(check.finding.level == .note)
    }

    @Test(
        arguments: [
            (10 * gibibyte, 500, .sound), (gibibyte - 1, 500, .warning), (gibibyte / 8 - 1, 500, .failure),
            (10 * gibibyte, 9, .warning), (10 * gibibyte, 10, .sound),
        ] as [(Int64, UInt64, Finding.Level)])
    func `a disk is judged by its reserve and its inodes`(_ free: Int64, _ inodes: UInt64, _ level: Finding.Level) {
        let check = DiskCheck(
            free: free, size: 100 * Self.gibibyte, freeFiles: inodes, files: 1_000, reserve: Self.gibibyte)
        #expect(check.finding.level == level, "\(check.finding)")
    }

    @Test func `a file system without a fixed number of inodes lacks none`() {
        #expect(DiskCheck(free: 1 << 40, size: 1 << 41, freeFiles: 0, files: 0, reserve: 1).finding.level == .sound)
    }

    @Test(
        arguments: [
            (["a", "b"], nil, 0, [.sound]), (["a"], nil, 0, [.sound, .note]), (["a", "b", "c"], nil, 0, [.failure]),
            (["a", "b"], "page 3 is damaged", 0, [.failure]),
            (["a", "b"], nil, DatabaseCheck.longestLog + 1, [.sound, .warning]),
        ] as [([String], String?, Int64, [Finding.Level])])
    func `a database is judged by its changes, its pages and its log`(
        _ changes: [String], _ damage: String?, _ log: Int64, _ levels: [Finding.Level]
    ) {
        let check = DatabaseCheck(
            bytes: 4_096, logBytes: log, changes: changes, known: ["a", "b"], isThorough: true, damage: damage)
        #expect(check.findings.map(\.level) == levels, "\(check.findings)")
    }

    @Test(
        arguments: [
            (true, nil, [.sound]), (nil, nil, [.sound]), (false, nil, [.warning]),
            (true, 3 * Milliseconds.day, [.warning]),
            (false, -3 * Milliseconds.day, [.warning, .warning]),
        ] as [(Bool?, Int64?, [Finding.Level])])
    func `a clock is judged by its service and the last time seen`(
        _ service: Bool?, _ jump: Int64?, _ levels: [Finding.Level]
    ) {
        #expect(ClockCheck(isSynchronised: service, jump: jump).findings.map(\.level) == levels)
    }

    @Test func `a jump says in which direction`() {
        let ahead = ClockCheck(isSynchronised: true, jump: 3 * Milliseconds.day).findings[0].detail
        #expect(ahead.contains("3 days ahead of"))
        let behind = ClockCheck(isSynchronised: true, jump: -3 * Milliseconds.hour).findings[0].detail
        #expect(behind.contains("3 hours behind"))
    }

    @Test(arguments: [(-1, .failure), (13, .warning), (15, .sound)] as [(Int64, Finding.Level)])
    func `a certificate is renewed two weeks before its end`(_ days: Int64, _ level: Finding.Level) {
        let now = 1_800_000_000_000 as Int64
        #expect(CertificateCheck.finding(expiry: now / 1_000 + days * 86_400, now: now).level == level)
    }

    @Test(
        arguments: [
            (100, nil, .failure), (1_024, nil, .warning), (100_000, nil, .sound), (100_000, 90_000, .warning),
        ] as [(Int, Int?, Finding.Level)])
    func `descriptors must suffice for the connections`(_ limit: Int, _ open: Int?, _ level: Finding.Level) {
        let check = DescriptorCheck(
            limit: limit, open: open, isOfServer: open != nil, connections: 30_000, connectionsPerAddress: 1_000)
        #expect(check.finding.level == level, "\(check.finding)")
    }

    @Test(
        arguments: [
            (nil, nil, [.warning]), (10, false, [.sound]), (10, nil, [.sound]), (10, true, [.warning]),
            (40, false, [.warning]), (40, true, [.warning, .warning]),
        ] as [(Int64?, Bool?, [Finding.Level])])
    func `a backup is recent and elsewhere`(_ hours: Int64?, _ isOnSameDisk: Bool?, _ levels: [Finding.Level]) {
        let now = 1_800_000_000_000 as Int64
        let last = hours.map {
            LastBackup(instant: now - $0 * Milliseconds.hour, finished: now, destination: "/b", files: 1, bytes: 1)
        }
        let check = BackupCheck(
            last: last, isOnSameDisk: isOnSameDisk, now: now, longestAge: 36 * Milliseconds.hour)
        #expect(check.findings.map(\.level) == levels, "\(check.findings)")
    }

    @Test(
        arguments: [
            ("/f", true, "/r", true, [.sound]), (nil, false, "/r", true, [.warning]),
            ("/f", false, "/r", true, [.warning]),
            ("/f", true, nil, true, [.failure]), ("/f", true, nil, false, [.sound]),
            (nil, false, nil, true, [.failure, .warning]),
        ] as [(String?, Bool, String?, Bool, [Finding.Level])])
    func `programs are there and run`(
        _ ffmpeg: String?, _ runs: Bool, _ redis: String?, _ isNeeded: Bool, _ levels: [Finding.Level]
    ) {
        let check = ProgramsCheck(
            ffmpeg: ffmpeg, ffmpegRuns: runs, redisServer: redis, needsRedisServer: isNeeded)
        #expect(check.findings.map(\.level) == levels)
    }
}
