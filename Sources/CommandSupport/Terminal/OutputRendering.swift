import Foundation
import GraphAPI

/// The result of a command: one or more records of the same fields, such as the state before and after a repair.
package struct CommandOutput: Sendable {
    package enum Value: Sendable, Equatable {
        case integer(Int64)
        /// Rendered with one decimal.
        case decimal(Double)
        case text(String)
        case null

        package static func count(_ value: Int) -> Value { .integer(Int64(value)) }
    }

    package struct Field: Sendable {
        package let key: StaticString
        package let label: String
        package let value: Value

        package init(_ key: StaticString, _ label: String, _ value: Value) {
            self.key = key
            self.label = label
            self.value = value
        }
    }

    /// A further record beside the first.
    package struct Sequel: Sendable {
        /// Its member in the JSON object.
        let key: StaticString
        let fields: [Field]
        /// Headings of the table's columns, the first record's first.
        let headings: (String, String)

        package init(key: StaticString, fields: [CommandOutput.Field], headings: (String, String)) {
            self.key = key
            self.fields = fields
            self.headings = headings
        }
    }

    package var fields: [Field]
    package var sequel: Sequel?

    package init(_ fields: [Field], sequel: Sequel? = nil) {
        self.fields = fields
        self.sequel = sequel
    }
}

/// Formats of results: a table for people, one JSON object on one line for programs.
package enum OutputRendering {
    package static func render(_ output: CommandOutput, json: Bool) -> String {
        json ? renderJSON(output) : renderTable(output)
    }

    private static func renderJSON(_ output: CommandOutput) -> String {
        var writer = JSONWriter(reservingCapacity: 256)
        writer.beginObject()
        write(output.fields, to: &writer)
        if let sequel = output.sequel {
            writer.key(sequel.key)
            writer.beginObject()
            write(sequel.fields, to: &writer)
            writer.endObject()
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func write(_ fields: [CommandOutput.Field], to writer: inout JSONWriter) {
        for field in fields {
            writer.key(field.key)
            switch field.value {
            case .integer(let value): writer.integer(value)
            case .decimal(let value): writer.raw(Array(decimal(value).utf8))
            case .text(let value): writer.string(value)
            case .null: writer.null()
            }
        }
    }

    private static func renderTable(_ output: CommandOutput) -> String {
        var rows = output.fields.map { [$0.label, text($0.value)] }
        if let sequel = output.sequel {
            for index in rows.indices {
                let value = sequel.fields.first { "\($0.key)" == "\(output.fields[index].key)" }?.value
                rows[index].append(value.map(text) ?? "")
            }
            rows.insert(["", sequel.headings.0, sequel.headings.1], at: 0)
        }
        return align(rows)
    }

    /// Labels to the left, values to the right.
    private static func align(_ rows: [[String]]) -> String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        let lines = rows.map { row in
            row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }.joined(separator: "  ")
        }
        return lines.joined(separator: "\n")
    }

    private static func text(_ value: CommandOutput.Value) -> String {
        switch value {
        case .integer(let value): String(value)
        case .decimal(let value): decimal(value)
        case .text(let value): value
        case .null: "-"
        }
    }

    private static func decimal(_ value: Double) -> String { String(format: "%.1f", value.isFinite ? value : 0) }
}
