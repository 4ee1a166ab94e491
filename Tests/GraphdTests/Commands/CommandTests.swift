import ArgumentParser
import Foundation
import SocialGraph
import TestSupport
import Testing
import Timeline

@testable import CommandSupport
@testable import graphd

@Suite(.timeLimit(.unit))
struct CommandTests {
    @Test(arguments: [
        ["f", "--authors-by-rank", "--author-map", "m"], ["f", "--created-year", "2017"],
        ["f", "--created-format", "dd.mm"],
        ["f", "--created-format", "iso"], ["f", "--tags-separator", ""], [],
        ["f", "--created-format", "dd.mm", "--created-year", "17"],
    ])
    func `flags of posts that contradict each other are wrong usage`(arguments: [String]) {
        do {
            _ = try ImportPostsCommand.parse(arguments)
            Issue.record("accepted")
        } catch {
            #expect(ImportPostsCommand.exitCode(for: error).rawValue == 64)
        }
    }

    @Test(arguments: [["--all", "--sample", "3"], ["--sample", "0"], ["--sample", "many"]])
    func `flags of verify that contradict each other are wrong usage`(arguments: [String]) {
        do {
            _ = try TimelinesVerifyCommand.parse(arguments)
            Issue.record("accepted")
        } catch {
            #expect(TimelinesVerifyCommand.exitCode(for: error).rawValue == 64)
        }
    }

    @Test(arguments: [[], ["somebody", "--all"], ["somebody", "else"]])
    func `rebuild takes one user or all`(arguments: [String]) {
        do {
            _ = try TimelinesRebuildCommand.parse(arguments)
            Issue.record("accepted")
        } catch {
            #expect(TimelinesRebuildCommand.exitCode(for: error).rawValue == 64)
        }
    }

    @Test
    func `every setting is a flag of serve that names its variable`() {
        let help = ServeCommand.helpMessage(columns: 1_000)
        for setting in Setting.allCases {
            #expect(help.contains("\(setting.flag) <") && help.contains("[\(setting.environmentVariable)]"))
        }
    }

    @Test
    func `every command has an example and says its exit status`() {
        let commands: [any ParsableCommand.Type] = [
            ImportFollowsCommand.self, ImportPostsCommand.self, TimelinesVerifyCommand.self, TimelinesStatsCommand.self,
            TimelinesRebuildCommand.self, KeyListCommand.self, KeyRotateCommand.self, BackupCommand.self,
            RestoreCommand.self, ConfigCheckCommand.self,
        ]
        for command in commands {
            #expect(command.configuration.discussion.contains("Example:\n  graphd "))
            #expect(command.configuration.discussion.contains("Exit status:"))
        }
        #expect(ImportCommand.configuration.discussion.contains("Example:"))
        #expect(TimelinesCommand.configuration.discussion.contains("Example:"))
    }

    @Test
    func `the data directory is the flag's, else the environment's, else data`() throws {
        let given = try DataDirectoryOptions.parse(["--data-dir", "/a"])
        let none = try DataDirectoryOptions.parse([])
        #expect(given.path(environment: ["GRAPHD_DATA_DIR": "/b"]) == "/a")
        #expect(none.path(environment: ["GRAPHD_DATA_DIR": "/b"]) == "/b")
        #expect(none.path(environment: ["GRAPHD_DATA_DIR": ""]) == "./data")
        #expect(none.path(environment: [:]) == "./data")
    }

    @Test
    func `a directory without a graph is refused, and one is made where that is asked for`() async throws {
        let path = temporaryPath("commands")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let options = try DataDirectoryOptions.parse(["--data-dir", path + "/deep"])
        #expect(throws: CommandFailure.self) { try options.openExisting() }
        #expect(!FileManager.default.fileExists(atPath: path))
        _ = try options.openOrCreate()
        let graph = try options.openExisting()
        #expect(try await graph.integers("SELECT COUNT(*) FROM account") == [0])
        let mode = try FileManager.default.attributesOfItem(atPath: path + "/deep")[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test(arguments: [5, 100])
    func `a sample is of so many different accounts, or of all`(sample: Int) async throws {
        try await withGraph { graph in
            _ = try await FollowImport.run((1...20).map { "\($0) 21\n" }.joined(), into: graph)
            let verification = TimelineVerification(graph: graph)
            let all = try await verification.viewers(sample: nil)
            let some = try await verification.viewers(sample: sample)
            #expect(all.count == 21)
            #expect(some.count == min(sample, 21) && Set(some).isSubset(of: all))
            let found = try await verification.verify(some, nil)
            #expect(found.timelines == some.count && found.windows == 0 && found.isClean && found.pending == 1)
        }
    }
}
