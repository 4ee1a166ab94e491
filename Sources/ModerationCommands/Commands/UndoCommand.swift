import ArgumentParser
import CommandSupport
import StrictJSON

struct UndoCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "undo", "Take back what a batch did.",
        "Every change prints its batch, and so does 'graphd modlog list'. An undo is a batch too, and can be undone.",
        examples: "undo 244120833662976", "undo 244120833662976 --dry-run")

    @Argument(help: ArgumentHelp(SubjectInput.help, valueName: "batch"))
    var batches: [String]

    @Option(help: ArgumentHelp("Why.", valueName: "text"))
    var reason: String?

    @Flag(name: .customLong("dry-run"), help: "Say what would change, and change nothing.")
    var dryRun = false

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let batches = try SubjectInput.texts(batches)
        let requests = try batches.map { batch in
            guard let id = ModerationServer.isID(batch) ? batch : ModerationServer.id(batch) else {
                throw ModerationFailure(.badData, "\"\(batch)\" is no batch: give its id, a number.")
            }
            let body = JSONValue.members(
                ("reason", reason.map { .string($0) }), ("dryRun", dryRun ? .bool(true) : nil))
            return OrderRun.Request(path: "/v1/moderation/batches/\(id)/undo", body: body, subjects: 1)
        }
        if !dryRun, !connection.yes {
            try Confirmation.terminal.require("Take back what \(batches.joined(separator: ", ")) did.")
        }
        try await OrderRun(server: server, connection: connection, isDryRun: dryRun).run(requests)
    }
}
