import StrictJSON

/// One JSON object for people: its members below each other, lists of objects as tables of their own.
package enum RecordRendering {
    /// - Parameter columns: for lists that do not show all members of their objects.
    package static func lines(
        _ record: JSONValue, on channel: OutputChannel, columns: [String: [TableColumn]] = [:]
    ) -> [String] {
        guard case .object(let members) = record else { return [TableRendering.summary(record)] }
        let plain = members.filter { !isList($0.value) }
        var rows: [(label: String, text: String)] = []
        for member in plain {
            let label = TableRendering.words(TerminalText.safe(member.name))
            rows.append((label, text(of: member.value, onTerminal: channel.isTerminal)))
        }
        guard channel.isTerminal else {
            return rows.map { "\($0.label)\t\($0.text)" }
                + members.filter { isList($0.value) }.flatMap { list($0, columns[$0.name], on: channel) }
        }
        let width = rows.map { TerminalText.width($0.label) }.max() ?? 0
        let lines = rows.map { row in
            let padding = String(repeating: " ", count: width - TerminalText.width(row.label))
            return channel.styled(row.label, .faint) + padding + "  " + row.text
        }
        return lines + members.filter { isList($0.value) }.flatMap { list($0, columns[$0.name], on: channel) }
    }

    private static func text(of value: JSONValue, onTerminal: Bool) -> String {
        if let text = value.stringValue, onTerminal, text.utf8.count == 24, text.hasSuffix("Z") {
            return TerminalText.safe(TableRendering.toTheMinute(text))
        }
        let text = TableRendering.summary(value)
        return text.isEmpty && onTerminal ? "-" : text
    }

    private static func isList(_ value: JSONValue) -> Bool {
        guard case .object? = value.arrayValue?.first else { return false }
        return true
    }

    /// A list's name, and its objects as rows. Outside a terminal each row begins with the name.
    private static func list(
        _ member: JSONMember, _ columns: [TableColumn]?, on channel: OutputChannel
    ) -> [String] {
        guard let items = member.value.arrayValue, case .object(let first)? = items.first else { return [] }
        let columns = columns ?? first.map { column($0.name) }
        let nested = channel.columns.map { OutputChannel(columns: $0 - 2, hasColours: channel.hasColours) } ?? channel
        let lines = TableRendering.lines(columns, items, on: nested)
        let name = TableRendering.words(TerminalText.safe(member.name))
        guard channel.isTerminal else { return lines.map { "\(name)\t\($0)" } }
        return ["", channel.styled(name, .heading)] + lines.map { "  " + $0 }
    }

    private static func column(_ name: String) -> TableColumn {
        let kind: TableColumn.Kind = name.hasSuffix("At") ? .time : name.hasSuffix("Id") ? .whole : .text
        return TableColumn(TableRendering.words(name), name, kind)
    }
}
