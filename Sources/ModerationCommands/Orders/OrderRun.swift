import Algorithms
import CommandSupport
import StrictJSON

/// Asks for confirmation, sends orders, and shows the results.
struct OrderRun {
    let server: ModerationServer
    let connection: ConnectionOptions
    let isDryRun: Bool
    var confirmation = Confirmation.terminal
    var channel = OutputChannel.standard()
    var output: (String) -> Void = { print($0) }

    /// Sends one request after the other. If one fails, the changes made before are shown, so that they can be undone.
    func run(_ drafts: [OrderDraft]) async throws {
        let drafts = drafts.filter { !$0.subjects.isEmpty }
        if !isDryRun, !connection.yes {
            try confirmation.require(drafts.map { $0.sentence }.joined(separator: "\n"))
        }
        let requests = drafts.flatMap { draft in
            draft.subjects.chunks(ofCount: OrderDraft.subjectsPerRequest).map { part in
                Request(
                    path: "/v1/moderation/actions", body: draft.body(part, isDryRun: isDryRun), subjects: part.count)
            }
        }
        try await run(requests)
    }

    struct Request {
        let path: String
        let body: JSONValue
        let subjects: Int
    }

    func run(_ requests: [Request]) async throws {
        let total = requests.map(\.subjects).reduce(0, +)
        var (report, done) = (OrderReport(isDryRun: isDryRun), 0)
        var bar = ProgressBar(
            label: isDryRun ? "trying" : "changing", unit: .subjects, total: total,
            isShown: total > OrderDraft.subjectsPerRequest && StandardError.isTerminal)
        for request in requests {
            do {
                report.add(try await server.send("POST", request.path, request.body))
            } catch {
                bar.finish()
                try fail(error, report, done: done, of: total)
            }
            done += request.subjects
            bar.update(done: done)
        }
        bar.finish()
        show(report)
    }

    private func show(_ report: OrderReport) {
        if connection.json {
            output(report.json.terminalText)
        } else {
            for line in report.lines(on: channel) { output(line) }
        }
    }

    /// Shows the changes made before, then throws the error.
    private func fail(_ error: any Error, _ report: OrderReport, done: Int, of total: Int) throws {
        guard let failure = (error as? RequestFailure)?.failure ?? error as? ModerationFailure, done > 0 else {
            throw error
        }
        show(report)
        let undo =
            report.batches.isEmpty || isDryRun ? "" : " Undo: graphd undo \(report.batches.joined(separator: " "))"
        throw ModerationFailure(
            .tryAgain, "\(done) of \(total) are done, then: \(failure.message)\(undo)")
    }
}
