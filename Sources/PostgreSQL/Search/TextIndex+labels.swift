import Database

extension TextIndex {
    /// The label of each column: the heaviest and the lightest column have one of their own, the others share two.
    ///
    /// Every scope and vocabulary must be a union of labels. That holds for indexes of up to four columns, and for
    /// larger ones whose scopes leave out the lightest column.
    var labels: [String: ColumnLabel] {
        let ordered = weighedColumns.sorted { $0.value > $1.value }.map(\.key)
        var labels: [String: ColumnLabel] = [:]
        for (rank, name) in ordered.enumerated() {
            switch rank {
            case 0: labels[name] = .heaviest
            case ordered.count - 1: labels[name] = .lightest
            default: labels[name] = rank * 2 < ordered.count ? .heavy : .light
            }
        }
        return labels
    }

    /// The labels of `columns`, as a `tsquery` restricts a word to them.
    func labels(of columns: some Sequence<some StringProtocol>) -> String {
        let labels = labels
        let used = Set(columns.compactMap { labels[String($0)] })
        assert(
            weighedColumns.allSatisfy { column in
                labels[column.key].map(used.contains) == columns.contains { $0 == column.key }
            }, "a scope shares a label with a column outside of it")
        return ColumnLabel.allCases.filter(used.contains).map(\.rawValue).joined()
    }

    /// The weight of each label, the lightest first, as the server's rank expects them: the mean of its columns, as a
    /// part of the heaviest.
    var labelWeights: [Double] {
        let labels = labels
        let heaviest = weighedColumns.map(\.value).max() ?? 1
        return ColumnLabel.allCases.reversed().map { label in
            let weights = weighedColumns.filter { labels[$0.key] == label }.map(\.value)
            return weights.isEmpty ? 0 : weights.reduce(0, +) / Double(weights.count) / heaviest
        }
    }
}
