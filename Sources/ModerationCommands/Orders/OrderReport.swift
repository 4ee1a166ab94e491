import CommandSupport
import StrictJSON

/// The results of the requests of one command.
struct OrderReport {
    /// Maximum number of rows shown on a terminal. Further rows are counted.
    private static let shownRows = 40

    let isDryRun: Bool
    private(set) var action = JSONValue.null
    private(set) var batches: [String] = []
    private(set) var results: [JSONValue] = []
    private(set) var changed: Int64 = 0

    init(isDryRun: Bool) { self.isDryRun = isDryRun }

    /// Adds the answer to an order or an undo.
    mutating func add(_ answer: JSONValue) {
        let batch = answer.member("batch")?.stringValue
        if let batch { batches.append(batch) }
        if action == .null { action = answer.member("action") ?? .null }
        for result in answer.member("results")?.arrayValue ?? [] {
            if result.member("changed")?.isTrue == true { changed += 1 }
            results.append(result.setting("batch", to: batch.map { .string($0) } ?? .null))
        }
    }

    /// The results as JSON. `batch` is the first of `batches`, which has one for each request that changed something.
    var json: JSONValue {
        .members(
            ("batch", batches.first.map { .string($0) } ?? .null),
            ("batches", .array(batches.map { .string($0) })), ("action", action), ("dryRun", .bool(isDryRun)),
            ("changed", .integer(changed)), ("results", .array(results)))
    }

    /// The result for a changed subject, the same on a terminal and in a pipe.
    private var verb: String { isDryRun ? "would change" : "changed" }

    func lines(on channel: OutputChannel) -> [String] {
        guard channel.isTerminal else { return results.map { row($0).joined(separator: "\t") } }
        var lines: [String] = []
        if results.count <= Self.shownRows {
            let columns = [
                TableColumn("subject", "subject", .subject), TableColumn("result", "state"),
                TableColumn("entry", "entryId", .whole),
            ]
            let rows = results.map { result in
                let isChanged = result.member("changed")?.isTrue == true
                return result.setting("state", to: .string(isChanged ? verb : "unchanged"))
            }
            lines += TableRendering.lines(columns, rows, on: channel)
        }
        lines.append("\(verb): \(changed) of \(results.count)")
        if !batches.isEmpty {
            let list = batches.joined(separator: " ")
            lines.append("batch \(list)   (graphd undo \(list))")
        }
        return lines
    }

    private func row(_ result: JSONValue) -> [String] {
        [
            TableRendering.subject(result.member("subject") ?? .null) ?? "",
            result.member("changed")?.isTrue == true ? verb : "unchanged",
            TableRendering.summary(result.member("entryId") ?? .null),
            TableRendering.summary(result.member("batch") ?? .null),
        ]
    }
}
