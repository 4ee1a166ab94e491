import CommandSupport
import Foundation
import StrictJSON

/// Repeated displays of a queue.
struct QueueWatch {
    let columns: [TableColumn]
    let isJSON: Bool
    let channel: OutputChannel
    /// The items of the previous display; nil before the first.
    private var known: Set<String>?

    init(columns: [TableColumn], isJSON: Bool, channel: OutputChannel) {
        self.columns = columns
        self.isJSON = isJSON
        self.channel = channel
    }

    /// Shows the whole queue again on a terminal, with new items marked. Elsewhere prints a line for each new item.
    mutating func show(_ items: [JSONValue], hasMore: Bool, output: (String) -> Void) {
        let (before, identities) = (known, items.map(Self.identity))
        func isNew(_ item: JSONValue) -> Bool { before.map { !$0.contains(Self.identity(item)) } ?? false }
        if channel.isTerminal, !isJSON {
            let time = Date.now.formatted(.iso8601.time(includingFractionalSeconds: false))
            let count = "\(items.count)\(hasMore ? " or more" : "") at \(time) UTC, \(items.filter(isNew).count) new"
            let table = TableRendering.lines(columns, items, on: channel, isNew: isNew)
            output("\u{1B}[H\u{1B}[2J" + ([channel.styled(count, .faint)] + table).joined(separator: "\n"))
        } else {
            for item in items where before == nil || isNew(item) {
                output(isJSON ? item.terminalText : TableRendering.lines(columns, [item], on: channel).joined())
            }
            fflush(nil)
        }
        known = (known ?? []).union(identities)
    }

    /// Returns the id of a report or an appeal, or otherwise the subject.
    static func identity(_ item: JSONValue) -> String {
        for name in ["reportId", "appealId", "entryId"] {
            if let id = item.member(name)?.stringValue { return id }
        }
        return TableRendering.subject(item.member("subject") ?? .null) ?? ""
    }
}
