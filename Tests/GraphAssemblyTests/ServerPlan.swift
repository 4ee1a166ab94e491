import Database

@testable import PostgreSQL

/// The generic plan of a statement on a connection of the driver.
struct ServerPlan {
    /// The nodes of the plan, each with its conditions.
    let nodes: [String]

    init(of statement: String, on connection: PostgreSQLConnection) throws {
        let numbers = statement.matches(of: #/\?([0-9]+)/#).compactMap { Int($0.output.1) }
        let arguments = Array(repeating: "NULL", count: numbers.max() ?? 0).joined(separator: ", ")
        let lines = try connection.exchange([
            ServerCommand("PREPARE explained AS \(Self.typed(statement))"),
            ServerCommand("EXPLAIN (COSTS OFF) EXECUTE explained\(arguments.isEmpty ? "" : " (\(arguments))")"),
            ServerCommand("DEALLOCATE explained"),
        ])[1].texts
        var nodes: [String] = []
        for (number, line) in lines.enumerated() {
            let text = line.drop { $0 == " " }
            if number == 0 || text.hasPrefix("->") {
                nodes.append(String(text.drop { "-> ".contains($0) }))
            } else {
                nodes[nodes.count - 1] += "; \(text)"
            }
        }
        self.nodes = nodes
    }

    /// A statement as the server reads it, with the type that the driver gives to a parameter compared with NULL.
    static func typed(_ statement: String) -> String {
        ParameterNumbering.postgreSQL(statement)
            .replacing(#/(\$[0-9]+) IS NULL/#) { "\($0.output.1)::bigint IS NULL" }
    }

    /// The nodes that read a whole table or index, sort, or collect groups.
    ///
    /// - Parameter leading: the first column of each index. A condition without it is checked for every entry.
    func faults(_ leading: [String: String]) -> [String] {
        nodes.filter { node in
            if node.hasPrefix("Seq Scan") || node.hasPrefix("Bitmap") { return true }
            if node.hasPrefix("Index"), let index = Self.index(of: node) {
                return !Self.isSearch(node, by: leading[index] ?? "")
            }
            let kinds = ["Sort", "Incremental Sort", "HashAggregate", "Hash", "Merge Join"]
            // The rows that a statement with `IN (SELECT …)` is about, each once.
            return kinds.contains { node == $0 || node.hasPrefix("\($0);") } && !node.contains("ANY_subquery")
        }
    }

    /// The index of a node.
    static func index(of node: String) -> String? {
        node.firstMatch(of: #/using (\S+) on/#).map { String($0.output.1) }
    }

    private static func isSearch(_ node: String, by column: String) -> Bool {
        let condition = node.split(separator: "; ").first { $0.hasPrefix("Index Cond:") } ?? ""
        // The plan has more parentheses in an expression.
        if column.contains(" ") {
            return condition.filter { !"()".contains($0) }.contains(column.filter { !"()".contains($0) })
        }
        return ["(\(column) ", "(\(column))", "ROW(\(column),"].contains { condition.contains($0) }
    }

    /// True if a node searches the index `name`; a name that is "_pkey" stands for any primary key.
    func searches(_ name: String) -> Bool {
        nodes.contains { node in
            guard node.contains("Index Cond:"), let index = Self.index(of: node) else { return false }
            return name == "_pkey" ? index.hasSuffix(name) : index == name
        }
    }
}
