import ArgumentParser
import CommandSupport
import StrictJSON

struct UndoCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "undo", "Undo the actions of a batch.",
        "Commands print the batch of each change, and 'graphd modlog list' lists them. An undo can be undone.",
        examples: "undo 244120833662976", "undo 244120833662976 --dry-run")

    @Argument(help: ArgumentHelp(SubjectInput.help, valueName: "batch"))
    var batches: [String]

    @Option(help: ArgumentHelp("Reason for the undo.", valueName: "text"))
    var reason: String?

    @Flag(name: .customLong("dry-run"), help: "Print the effect without changing anything.")
    var dryRun = false

    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        let batches = try SubjectInput.texts(batches)
        let requests = try batches.map { batch in
            guard let id = ModerationServer.isID(batch) ? batch : ModerationServer.id(batch) else {
                throw ModerationFailure(.badData, "\"\(batch)\" is not a batch. Give its id, a number.")
            }
            let body = JSONValue.members(
                ("reason", reason.map { .string($0) }), ("dryRun", dryRun ? .bool(true) : nil))
            return OrderRun.Request(path: "/v1/moderation/batches/\(id)/undo", body: body, subjects: 1)
        }
        if !dryRun, !connection.yes {
            try Confirmation.terminal.require("Undo the actions of \(batches.joined(separator: ", ")).")
        }
        try await OrderRun(server: server, connection: connection, isDryRun: dryRun).run(requests)
    }
}
