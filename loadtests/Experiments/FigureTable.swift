import Foundation

/// The results of a load test: a small table for people, or one JSON object.
struct FigureTable {
    enum Cell {
        case text(String)
        case count(Int)
        /// A number, and its number of shown decimals.
        case decimal(Double, Int)
        case none

        fileprivate var text: String {
            switch self {
            case .text(let text): text
            case .count(let count): String(count)
            case .decimal(let value, let decimals): String(format: "%.\(decimals)f", value)
            case .none: "-"
            }
        }

        fileprivate var json: Any {
            switch self {
            case .text(let text): text
            case .count(let count): count
            case .decimal(let value, let decimals):
                NSDecimalNumber(string: String(format: "%.\(decimals)f", value.isFinite ? value : -1))
            case .none: NSNull()
            }
        }
    }

    let figure: String
    /// The parameters of the measurement: names and numbers.
    let sizes: KeyValuePairs<String, Int>
    let columns: [String]
    private var rows: [[Cell]] = []

    init(_ figure: String, sizes: KeyValuePairs<String, Int>, columns: [String]) {
        self.figure = figure
        self.sizes = sizes
        self.columns = columns
    }

    mutating func add(_ row: [Cell]) {
        precondition(row.count == columns.count, "a row has a cell for every column")
        rows.append(row)
    }

    func rendered(json: Bool) throws -> String { json ? try object() : table }

    private var table: String {
        let texts = [columns] + rows.map { $0.map(\.text) }
        let widths = columns.indices.map { column in texts.map { $0[column].count }.max() ?? 0 }
        let lines = texts.map { row in
            zip(row, widths).enumerated().map { index, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return index == 0 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ")
        }
        let heading = figure + ": " + sizes.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return ([heading] + lines).joined(separator: "\n")
    }

    private func object() throws -> String {
        let rows = rows.map { row in
            Dictionary(zip(columns, row.map(\.json)), uniquingKeysWith: { first, _ in first })
        }
        let sizes = Dictionary(sizes.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        let data = try JSONSerialization.data(
            withJSONObject: ["figure": figure, "sizes": sizes, "rows": rows] as [String: Any],
            options: [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }
}
