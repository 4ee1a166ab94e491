import Algorithms
import ArgumentParser
import Audit
import CommandSupport
import Database
import SocialGraph

struct TimelinesRebuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Rebuild home windows.",
        discussion: """
            The jobs are put into the outbox, and a running server carries them out in the background; /readyz counts \
            those that remain.

            Example:
              graphd timelines rebuild mira
              graphd timelines rebuild --all

            Exit status: 0 the jobs are in the outbox, 1 failure, 64 wrong usage.
            """)

    /// Number of windows in one job.
    private static let jobSize = 2_000

    @OptionGroup var directory: DataDirectoryOptions

    @Flag(help: "Rebuild the window of every user.")
    var all = false

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    @Argument(help: "Name of the user whose window to rebuild.")
    var username: String?

    func validate() throws {
        guard all != (username != nil) else { throw ValidationError("Name a user, or give --all.") }
    }

    func run() async throws {
        let graph = try directory.openExisting()
        let viewers = try await viewers(graph)
        let note = AuditNote(
            .timelinesRebuilt, by: .machineUser, subject: all ? nil : viewers.first?.rawValue,
            detail: "windows: \(viewers.count)")
        var parts = viewers.chunks(ofCount: Self.jobSize).map(Array.init)[...]
        if let first = parts.popFirst() {
            try await graph.audit.recording(note) { transaction in
                try OutboxStore.Writer(transaction).enqueue(.build(viewers: first))
                return true
            }
        }
        for part in parts { try await graph.outbox.enqueueBuild(of: part) }
        let output = CommandOutput([.init("windows", "windows to be built", .count(viewers.count))])
        print(OutputRendering.render(output, json: json))
    }

    private func viewers(_ graph: GraphStore) async throws -> [UserID] {
        guard let username else { return try await TimelineVerification(graph: graph).viewers(sample: nil) }
        guard let account = try await graph.accounts.account(username: username) else {
            throw CommandFailure("There is no user named \"\(username)\" in \(directory.path).")
        }
        return [account.id]
    }
}
