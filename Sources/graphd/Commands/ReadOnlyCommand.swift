import ArgumentParser
import Audit
import CommandSupport
import Database
import GraphServices
import SocialGraph

/// Switches the read-only mode of a data directory.
struct ReadOnlyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read-only",
        abstract: "Say whether a server refuses changes, or switch that on or off.",
        discussion: """
            In read-only mode every request that would change something is answered 503 with the code read_only and \
            the reason. Reads are answered, and what was accepted before is still delivered. A running server follows \
            within a second, and the mode lasts over restarts.

            Example:
              graphd read-only on --reason 'Moving to a larger machine' --data-dir data
              graphd read-only off --data-dir data

            Exit status: 0, 1 failure, 64 wrong usage.
            """)

    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    @Argument(help: "on or off; without it, the mode is shown.")
    var mode: Switch?

    @Option(help: "Reason that users read. (default: The site is being maintained.)")
    var reason: String?

    @OptionGroup var directory: DataDirectoryOptions

    func validate() throws {
        if reason != nil, mode != .on { throw ValidationError("--reason needs 'on'.") }
        if let reason, reason.isEmpty || reason.count > ReadOnlyMode.reasonLength {
            throw ValidationError("--reason must have 1 to \(ReadOnlyMode.reasonLength) characters.")
        }
    }

    func run() async throws {
        let graph = try directory.openExisting()
        switch mode {
        case .on: try await store(reason ?? ReadOnlyMode.standardReason, .readOnlyStarted, in: graph)
        case .off: try await store(nil, .readOnlyEnded, in: graph)
        case nil: break
        }
        let stored = try await ReadOnlyMode.reason(in: graph)
        let state = stored.map { "is read-only: \($0)" } ?? "accepts changes."
        print(TerminalText.safe("\(directory.path) \(state)"))
    }

    private func store(_ reason: String?, _ action: AuditAction, in graph: GraphStore) async throws {
        try await graph.audit.recording(AuditNote(action, by: .machineUser, detail: reason)) { transaction in
            let before = try SettingStore.Reader(transaction).setting(ReadOnlyMode.setting)
            guard before ?? "" != reason ?? "" else { return false }
            try SettingStore.Writer(transaction).store(reason ?? "", as: ReadOnlyMode.setting)
            return true
        }
    }
}
