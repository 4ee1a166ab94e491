import Database

/// Rows that the requests of a group insert, gathered so that a statement inserts those of many requests, and what they
/// add to numbers in other rows, summed up.
///
/// The rows of one request stay in order, because a row may refer to one before it. A request knows nothing of the rows
/// of another one of its group: before it asks, all that has been gathered is written.
struct GatheredRows {
    private struct Part {
        let insertion: RowInsertion
        var values: [SQLValue]
    }

    private struct Adjustment {
        let sql: String
        let arguments: [SQLValue]
        var amount: Int64
    }

    private var parts: [Part] = []
    private var adjustments: [Adjustment] = []
    /// The last part to which the present request has added rows.
    private var place = 0
    /// Requests that have added rows.
    private(set) var requests = 0
    private var hasAdded = false
    private(set) var valueCount = 0

    var isEmpty: Bool { parts.isEmpty && adjustments.isEmpty }

    /// Begins the rows of the next request.
    mutating func startRequest() {
        place = 0
        hasAdded = false
    }

    /// Adds rows to those that `insertion` inserts. Returns false if they would come before earlier rows of the
    /// request; then all must be written first.
    mutating func add(_ values: [SQLValue], to insertion: RowInsertion) -> Bool {
        if let known = parts.firstIndex(where: { $0.insertion.statements[0] == insertion.statements[0] }) {
            guard known >= place else { return false }
            parts[known].values += values
            place = known
        } else {
            parts.append(Part(insertion: insertion, values: values))
            place = parts.count - 1
        }
        valueCount += values.count
        if !hasAdded { requests += 1 }
        hasAdded = true
        return true
    }

    /// Adds `amount` to what the statement will add, whose last argument it is.
    mutating func add(_ amount: Int64, by sql: String, _ arguments: [SQLValue]) {
        if let known = adjustments.firstIndex(where: { $0.arguments == arguments && $0.sql == sql }) {
            adjustments[known].amount += amount
        } else {
            adjustments.append(Adjustment(sql: sql, arguments: arguments, amount: amount))
            valueCount += arguments.count + 1
        }
    }

    /// Returns the statements for all that has been gathered, which then no longer is.
    mutating func take() -> [ServerCommand] {
        var commands: [ServerCommand] = []
        for part in parts {
            let types = part.insertion.types.map(ParameterType.init)
            part.insertion.forEachPart(of: part.values) { sql, values in
                let all = repeatElement(types, count: values.count / types.count).joined()
                commands.append(ServerCommand(sql, values, types: Array(all)))
            }
        }
        for adjustment in adjustments {
            commands.append(
                ServerCommand(adjustment.sql, adjustment.arguments + [.integer(adjustment.amount)]))
        }
        self = GatheredRows()
        return commands
    }
}

extension ParameterType {
    fileprivate init(_ type: RowInsertion.ColumnType) {
        switch type {
        case .integer: self = .integer
        case .real: self = .real
        case .text: self = .text
        case .blob: self = .blob
        }
    }
}
