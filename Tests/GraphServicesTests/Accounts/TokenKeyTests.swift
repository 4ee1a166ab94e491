import Foundation
import TestSupport
import Testing

@testable import GraphServices
@testable import Sessions

@Suite(.timeLimit(.unit))
struct TokenKeyTests {
    private func withDirectory(_ body: (String) throws -> Void) throws {
        let directory = try makeTemporaryDirectory("key")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try body(directory)
    }

    private func write(_ count: Int, mode: Int, in directory: String) throws {
        let made = FileManager.default.createFile(
            atPath: directory + "/token.key", contents: Data(repeating: 7, count: count),
            attributes: [.posixPermissions: mode])
        try #require(made)
    }

    @Test func `the key is made once and for its owner alone`() throws {
        try withDirectory { directory in
            let first = try TokenKey.loadOrCreate(inDirectory: directory)
            let second = try TokenKey.loadOrCreate(inDirectory: directory)
            #expect(first.bytes == second.bytes)
            #expect(first.bytes.count == 32)
            #expect(Set(first.bytes).count > 8)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["token.key"])
            let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/token.key")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `many at once get one key`() throws {
        try withDirectory { directory in
            let keys = Keys()
            DispatchQueue.concurrentPerform(iterations: 16) { _ in
                keys.add((try? TokenKey.loadOrCreate(inDirectory: directory).bytes) ?? [])
            }
            #expect(keys.distinct.count == 1)
            #expect(keys.distinct.first?.count == 32)
        }
    }

    @Test(arguments: [0, 31, 33])
    func `a key of the wrong length is refused`(_ count: Int) throws {
        try withDirectory { directory in
            try write(count, mode: 0o600, in: directory)
            let error = #expect(throws: TokenKey.Unusable.self) { try TokenKey.loadOrCreate(inDirectory: directory) }
            #expect(error?.description.contains("32 bytes") == true)
        }
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o666])
    func `a key that others may read or write is refused`(_ mode: Int) throws {
        try withDirectory { directory in
            try write(32, mode: mode, in: directory)
            let error = #expect(throws: TokenKey.Unusable.self) { try TokenKey.loadOrCreate(inDirectory: directory) }
            #expect(error?.description.contains("chmod 600") == true)
        }
    }

    @Test func `a missing directory is an error`() {
        #expect(throws: TokenKey.Unusable.self) { try TokenKey.loadOrCreate(inDirectory: "/nowhere/at/all") }
    }
}

// Proof: every access to `all` holds `lock`.
private final class Keys: @unchecked Sendable {
    private let lock = NSLock()
    private var all: Set<[UInt8]> = []

    var distinct: Set<[UInt8]> { lock.withLock { all } }

    func add(_ key: [UInt8]) {
        lock.withLock { _ = all.insert(key) }
    }
}
