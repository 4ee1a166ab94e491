import CommandSupport
import StrictJSON

/// A change without an order in the modlog: one request, confirmed like an order.
struct PlannedChange {
    let method: String
    let path: String
    var body: JSONValue?
    /// A description of the coming change.
    let sentence: String
}

extension ModerationCommand {
    /// Carries out a change and shows the answer. A dry run says what would change, and shows the request.
    func carryOut(_ change: PlannedChange, on server: ModerationServer, isDryRun: Bool) async throws {
        if isDryRun {
            let request = JSONValue.members(
                ("dryRun", .bool(true)), ("method", .string(change.method)), ("path", .string(change.path)),
                ("body", change.body))
            show(request) { channel in
                ["would change: \(TerminalText.safe(change.sentence))"] + RecordRendering.lines(request, on: channel)
            }
            return
        }
        if !connection.yes { try Confirmation.terminal.require(change.sentence) }
        let answer = try await server.send(change.method, change.path, change.body)
        show(answer == .null ? .members(("done", .bool(true))) : answer) { channel in
            answer == .null ? ["done"] : RecordRendering.lines(answer, on: channel)
        }
    }
}
