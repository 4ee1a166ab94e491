/// Ratios as lines of text.
enum RatioTable {
    static func text(_ comparisons: [LoadReport.Comparison]) -> String {
        let heads = ["key", "graphd", "against", "unit", "ratio", "from", "to", "wanted", ""]
        let rows = comparisons.map { row in
            [
                row.key, row.ours.short, row.theirs.short, row.unit, row.ratio.short, row.least.short, row.most.short,
                row.target, row.isMet ? "met" : "missed",
            ]
        }
        let widths = heads.indices.map { column in ([heads] + rows).map { $0[column].count }.max() ?? 0 }
        return ([heads] + rows).map { row in
            row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return isText(column) ? row[column] + padding : padding + row[column]
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private static func isText(_ column: Int) -> Bool { [0, 3, 8].contains(column) }
}
