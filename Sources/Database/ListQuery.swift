/// A query over a list of values, such as `id IN (?1, ?2)`: one statement for many rows.
///
/// A list is split into parts of at most ``longest`` values, and each part is padded with its last value to a power of
/// two, so that an engine prepares few statements. Queries cannot ask for an order of rows, because across a list an
/// engine would sort them.
package struct ListQuery: Sendable {
    package static let longest = 64

    /// Statements by the length of their list, powers of two from 1 to ``longest``.
    package let statements: [String]
    private let arguments: Int

    /// - Parameters:
    ///   - arguments: number of arguments before the list.
    ///   - statement: returns the statement for the parameters of a list, such as `?1, ?2`.
    package init(after arguments: Int = 0, _ statement: (_ list: String) -> String) {
        self.arguments = arguments
        var statements: [String] = []
        var length = 1
        while length <= Self.longest {
            statements.append(statement((1...length).map { "?\(arguments + $0)" }.joined(separator: ", ")))
            length *= 2
        }
        self.statements = statements
    }

    /// The queries that together cover all of `values`; none for an empty list.
    package func queries(_ values: [SQLValue], after arguments: [SQLValue] = []) -> [SQLQuery] {
        assert(arguments.count == self.arguments, "the list would not stand where the statement has it")
        var queries: [SQLQuery] = []
        queries.reserveCapacity((values.count + Self.longest - 1) / Self.longest)
        var start = 0
        while start < values.count {
            let count = min(values.count - start, Self.longest)
            // The smallest power of two that is not below `count`.
            let place = count == 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount
            var all: [SQLValue] = []
            all.reserveCapacity(arguments.count + (1 << place))
            all += arguments
            all.append(contentsOf: values[start..<start + count])
            let last = values[start + count - 1]
            for _ in count..<(1 << place) { all.append(last) }
            queries.append(SQLQuery(statements[place], all))
            start += count
        }
        return queries
    }
}
