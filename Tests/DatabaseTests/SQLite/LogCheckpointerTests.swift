import Database
import Foundation
import TestSupport
import Testing

@testable import Database
@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct LogCheckpointerTests {
    @Test
    func `a log that has grown is copied without anybody waiting for it`() async throws {
        try await withSQLiteGraph { fixture in
            let checkpointer = try #require(fixture.database.checkpointer)
            let before = try size(of: fixture.path)
            let gate = Gate()
            checkpointer.between { gate.wait() }
            // Commits return although the log cannot be copied yet.
            for _ in 0..<4 { try await fixture.write(pages: LogCheckpointer.pagesToCopy / 2) }
            let waiting = try size(of: fixture.path)
            gate.open()
            await waitForRequestedCopies(checkpointer)
            let copied = try size(of: fixture.path)
            #expect(waiting == before)
            #expect(copied > before + LogCheckpointer.pagesToCopy * 4_096)
        }
    }

    @Test
    func `what little there is in the log is copied a while after the commit`() async throws {
        try await withSQLiteGraph { fixture in
            let checkpointer = try #require(fixture.database.checkpointer)
            let before = try size(of: fixture.path)
            try await fixture.write(pages: 10)
            try await waitForCopy(fixture, checkpointer, since: before)
        }
    }

    @Test
    func `a database that is closed while a copy is planned stays closed`() async throws {
        try await withTemporaryDirectory("graph") { directory in
            for number in 0..<20 {
                let fixture = try SQLiteFixture(path: directory + "/\(number).db")
                try await fixture.write(pages: 1 + number * 100)
                try fixture.database.close()
                let left = try size(of: fixture.path + "-wal")
                #expect(left == 0)
            }
        }
    }

    @Test
    func `a log that has been copied whole is written from its start again`() async throws {
        try await withSQLiteGraph { fixture in
            let checkpointer = try #require(fixture.database.checkpointer)
            for _ in 0..<20 {
                try await fixture.write(pages: LogCheckpointer.pagesToCopy)
                await waitForRequestedCopies(checkpointer)
            }
            let size = try size(of: fixture.path + "-wal")
            #expect(size < 20 * LogCheckpointer.pagesToCopy * 4_096)
            #expect(size < 2 * LogCheckpointer.pagesAtMost * 4_096)
        }
    }

    @Test
    func `a reader of an old snapshot keeps the log, and sees none of what came later`() async throws {
        try await withSQLiteGraph { fixture in
            let checkpointer = try #require(fixture.database.checkpointer)
            let (inside, signal) = AsyncStream.makeStream(of: Void.self)
            let gate = Gate()
            async let counts = fixture.database.read { reader in
                let count = "SELECT COUNT(*) FROM setting WHERE name LIKE 'page%'"
                let before = try reader.first(count, []) { $0.integer(0) }
                signal.finish()
                gate.wait()
                return [before, try reader.first(count, []) { $0.integer(0) }]
            }
            for await _ in inside {}
            let pages = LogCheckpointer.pagesAtMost + 2_000
            for _ in 0..<20 { try await fixture.write(pages: pages / 20) }
            let long = try size(of: fixture.path + "-wal")
            #expect(long > LogCheckpointer.pagesAtMost * 4_096)
            gate.open()
            #expect(try await counts == [0, 0])
            for _ in 0..<20 {
                try await fixture.write(pages: pages / 20)
                await waitForRequestedCopies(checkpointer)
            }
            #expect(try size(of: fixture.path + "-wal") < 2 * long)
        }
    }

    @Test
    func `a database can be closed while another one on the same file copies the log`() async throws {
        try await withSQLiteGraph { fixture in
            let checkpointer = try #require(fixture.database.checkpointer)
            for _ in 0..<100 {
                let other = try SQLiteFixture(path: fixture.path)
                try await other.write(pages: 200)
                try await fixture.write(pages: 1)
                checkpointer.copy()
                try other.database.close()
            }
        }
    }

    @Test
    func `what a reader has kept from being copied is copied after it, without another commit`() async throws {
        try await withSQLiteGraph { fixture in
            let checkpointer = try #require(fixture.database.checkpointer)
            try await fixture.write(pages: 1)
            await copy(checkpointer)
            try await expectCopyAfterReader(fixture, checkpointer) {
                try await fixture.write(pages: 10)
                await copy(checkpointer)
            }
        }
    }

    @Test
    func `what a reader has kept the writer from copying is copied after it, without another commit`() async throws {
        try await withSQLiteGraph { fixture in
            let checkpointer = try #require(fixture.database.checkpointer)
            // No copy is planned from here on.
            let start = try size(of: fixture.path)
            try await fixture.write(pages: 10)
            try await waitForCopy(fixture, checkpointer, since: start)
            try await expectCopyAfterReader(fixture, checkpointer) {
                // The writer copies a log of this length.
                try await fixture.write(pages: LogCheckpointer.pagesAtMost + 1_000)
            }
        }
    }

    @Test
    func `what is in the log only is there when the process ends without closing`() async throws {
        try await withTemporaryDirectory("graph") { directory in
            let fixture = try SQLiteFixture(path: directory + "/graph.db")
            for _ in 0..<3 { try await fixture.write(pages: 700) }
            // Copies the files like a crash leaves them: the log first, because the database may receive pages of it.
            for suffix in ["-wal", ""] {
                try FileManager.default.copyItem(
                    atPath: fixture.path + suffix, toPath: directory + "/crashed.db" + suffix)
            }
            let crashed = try SQLiteFixture(path: directory + "/crashed.db")
            #expect(try await crashed.integer("SELECT COUNT(*) FROM setting WHERE name LIKE 'page%'") == 2_100)
            let sound = "SELECT COUNT(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"
            #expect(try await crashed.integer(sound) == 1)
            try crashed.database.close()
            try fixture.database.close()
        }
    }

    /// While a reader keeps the log, no page of `write` is copied. Afterwards all of them are.
    private func expectCopyAfterReader(
        _ fixture: SQLiteFixture, _ checkpointer: LogCheckpointer, of write: () async throws -> Void
    ) async throws {
        let (inside, signal) = AsyncStream.makeStream(of: Void.self)
        let gate = Gate()
        async let reading: Void = fixture.database.read { reader in
            _ = try reader.first("SELECT COUNT(*) FROM setting", []) { $0.integer(0) }
            signal.finish()
            gate.wait()
        }
        for await _ in inside {}
        let before = try size(of: fixture.path)
        try await write()
        let kept = try size(of: fixture.path)
        gate.open()
        try await reading
        try await waitForCopy(fixture, checkpointer, since: before)
        #expect(kept == before)
    }

    /// Waits until the database has grown.
    private func waitForCopy(
        _ fixture: SQLiteFixture, _ checkpointer: LogCheckpointer, since before: Int
    ) async throws {
        while try size(of: fixture.path) == before { await waitForRequestedCopies(checkpointer) }
        // It grows in the middle of the copy.
        await waitForRequestedCopies(checkpointer)
    }

    /// Waits for copies that have begun: the log only grows until they end.
    private func waitForRequestedCopies(_ checkpointer: LogCheckpointer) async {
        await withCheckedContinuation { done in checkpointer.between { done.resume() } }
    }

    private func copy(_ checkpointer: LogCheckpointer) async {
        checkpointer.copy()
        await waitForRequestedCopies(checkpointer)
    }

    private func size(of path: String) throws -> Int {
        try (FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }
}

extension SQLiteFixture {
    /// Writes rows that fill at least `pages` pages, in one commit.
    fileprivate func write(pages: Int) async throws {
        try await database.write { transaction in
            let text = SQLValue.text(String(repeating: "x", count: 4_096))
            for _ in 0..<pages {
                try transaction.execute(
                    "INSERT INTO setting (name, value) VALUES ('page' || ?1, ?2)",
                    [.integer(transaction.nextID()), text])
            }
        }
    }
}
