import Database
import StrictJSON

/// A column of a table over JSON objects.
package struct TableColumn: Sendable {
    package enum Kind: Sendable {
        /// A text; the only kind that is cut if room is short.
        case text
        /// A number or an id, or a text that is copied into the next command.
        case whole
        /// A time: to the minute on a terminal, unchanged elsewhere.
        case time
        /// An object with the id of one subject: `post:244120789393408`.
        case subject
        case flag
    }

    package let heading: String
    /// Names of members separated by dots; of several paths separated by `|`, the first that exists.
    package let path: String
    package let kind: Kind
    /// True for a column that is left out if there is no room for all.
    package let isDispensable: Bool

    package init(_ heading: String, _ path: String, _ kind: Kind = .text, isDispensable: Bool = false) {
        self.heading = heading
        self.path = path
        self.kind = kind
        self.isDispensable = isDispensable
    }
}

/// Rows for people on a terminal, and lines of cells with tabs between them for everything else.
package enum TableRendering {
    private static let gap = 2
    private static let narrowest = 8

    /// The lines of the table, with headings on a terminal. `isNew` marks rows that were not there before.
    package static func lines(
        _ columns: [TableColumn], _ items: [JSONValue], on channel: OutputChannel,
        isNew: (JSONValue) -> Bool = { _ in false }
    ) -> [String] {
        let rows = items.map { item in columns.map { cell($0, of: item, onTerminal: channel.isTerminal) } }
        guard let width = channel.columns else { return rows.map { $0.joined(separator: "\t") } }
        let marks = items.map { isNew($0) ? "*" : " " }
        let isMarked = marks.contains("*")
        // A column without a value in any row needs no room.
        let used = columns.indices.filter { column in items.isEmpty || rows.contains { $0[column] != "-" } }
        let layout = layout(
            used.map { column in
                let heading = columns[column].heading.uppercased()
                return Shape(
                    index: column, heading: heading,
                    width: ([heading] + rows.map { $0[column] }).map(TerminalText.width).max() ?? 0,
                    canShrink: columns[column].kind == .text, isDispensable: columns[column].isDispensable)
            }, within: width - (isMarked ? gap : 0))
        let widths = layout.map(\.width)
        let head = channel.styled(aligned(layout.map(\.heading), widths), .heading)
        let lines = zip(rows, marks).map { row, mark in
            let line = (isMarked ? mark + " " : "") + aligned(layout.map { row[$0.index] }, widths)
            return mark == "*" ? channel.styled(line, .new) : line
        }
        return [(isMarked ? "  " : "") + head] + lines
    }

    private static func aligned(_ row: [String], _ widths: [Int]) -> String {
        let cells = zip(row, widths).enumerated().map { index, cell in
            let text = TerminalText.cut(cell.0, to: cell.1)
            guard index < row.count - 1 else { return text }
            return text + String(repeating: " ", count: max(cell.1 - TerminalText.width(text), 0))
        }
        return cells.joined(separator: String(repeating: " ", count: gap))
    }

    /// The final layout of a column.
    private struct Shape {
        let index: Int
        let heading: String
        var width: Int
        let canShrink: Bool
        let isDispensable: Bool
    }

    /// Narrows the widest texts until all columns fit; if that is not enough, removes the last dispensable column.
    private static func layout(_ columns: [Shape], within available: Int) -> [Shape] {
        var shapes = columns
        while shapes.map(\.width).reduce(gap * (shapes.count - 1), +) > available {
            let texts = shapes.indices.filter { shapes[$0].canShrink && shapes[$0].width > narrowest }
            if let widest = texts.max(by: { shapes[$0].width < shapes[$1].width }) {
                shapes[widest].width -= 1
            } else if let last = columns.last(where: { column in
                column.isDispensable && shapes.contains { $0.index == column.index }
            }) {
                shapes = columns.filter { column in
                    column.index != last.index && shapes.contains { $0.index == column.index }
                }
            } else {
                break
            }
        }
        return shapes
    }

    package static func cell(_ column: TableColumn, of item: JSONValue, onTerminal: Bool) -> String {
        let value = column.path.split(separator: "|").compactMap { item.at(String($0)) }.first ?? .null
        let nothing = onTerminal ? "-" : ""
        switch column.kind {
        case .text, .whole:
            let text = summary(value)
            return text.isEmpty ? nothing : text
        case .flag: return value.isTrue ? column.heading : nothing
        case .time:
            guard let text = value.stringValue else { return nothing }
            return TerminalText.safe(onTerminal ? toTheMinute(text) : text)
        case .subject: return subject(value) ?? nothing
        }
    }

    /// `2026-11-21T19:30:06.153Z` as `2026-11-21 19:30`.
    static func toTheMinute(_ time: String) -> String {
        guard time.utf8.count >= 16, time.hasSuffix("Z") else { return time }
        return "\(time.prefix(10)) \(time.dropFirst(11).prefix(5))"
    }

    package static func subject(_ value: JSONValue) -> String? {
        for kind in ModerationSubjectName.allCases {
            if let id = value.member(kind.member)?.stringValue { return TerminalText.safe("\(kind.rawValue):\(id)") }
        }
        return nil
    }

    /// Any value in a few words, on one line.
    package static func summary(_ value: JSONValue) -> String {
        switch value {
        case .null: return ""
        case .bool(let value): return value ? "yes" : "no"
        case .integer(let value): return String(value)
        case .double(let value): return rounded(value)
        case .string(let text): return TerminalText.safe(text)
        case .array(let values): return values.map(summary).joined(separator: ", ")
        case .object(let members):
            for name in ["username", "name"] {
                if let text = value.member(name)?.stringValue { return TerminalText.safe(text) }
            }
            if let subject = subject(value) { return subject }
            return members.map { "\(words(TerminalText.safe($0.name))) \(summary($0.value))" }.joined(separator: ", ")
        }
    }

    /// Rounds to at most three decimals.
    private static func rounded(_ value: Double) -> String {
        let text = String((value * 1_000).rounded() / 1_000)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// `followersCount` as `followers count`.
    package static func words(_ name: String) -> String {
        var result = ""
        for character in name {
            if character.isUppercase, result.last?.isUppercase == false { result.append(" ") }
            result.append(contentsOf: character.lowercased())
        }
        return result
    }
}

/// The names of subjects on the command line, and the encoded member that holds their id.
package enum ModerationSubjectName: String, CaseIterable, Sendable {
    case post, comment, user, community, report, appeal

    package var member: String { rawValue + "Id" }
}
