import ArgumentParser
import Foundation

/// Import of follows, compared with bare SQLite inserting the same edges in both orderings.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imported follows a second against the bare SQLite insert of both orderings, in pairs.",
        discussion: """
            The bare insert reads the same file with the sqlite3 shell into two tables of integer pairs, (follower, \
            followee) and (followee, follower), in one transaction with synchronous=FULL.

            Example:
              loadtests import --graphd .build/release/graphd --follows ego-twitter-follows.csv
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "A file of follows with a header.") var follows: String
    @Option(help: "Runs.") var runs = 3

    func run() async throws {
        let edges = try Program.run(Program.find("wc"), ["-l", follows]).split(separator: " ").first.flatMap {
            Double($0)
        }
        guard let edges else { throw Program.Failure(description: "\(follows) cannot be counted") }
        var ratio = Ratio("imported follows")
        for _ in 0..<runs {
            let ours = try await measure { directory in
                try Program.run(graphd, ["import", "follows", follows, "--data-dir", directory + "/data"])
            }
            let bare = try await measure { directory in
                let script = directory + "/bare.sql"
                try BareSQLite.insert(follows: follows).write(toFile: script, atomically: false, encoding: .utf8)
                try Program.run(Program.find("sqlite3"), [directory + "/bare.db", ".read \(script)"])
            }
            ratio.add(ours: edges / ours, limit: edges / bare)
        }
        print(ratio.summary)
    }

    private func measure(_ body: (String) throws -> Void) async throws -> Double {
        let directory = try Scratch.directory("import")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        return try await Program.time { try body(directory) }.seconds
    }
}
