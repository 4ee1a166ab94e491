/// A full-text index of the engine, with one document for each id.
package final class TextIndex: Sendable {
    /// Reads the texts of the columns of each document, in their order, from the tables; nil: there is nothing to
    /// index.
    package typealias Documents = @Sendable (_ ids: [Int64], _ reader: any SQLReader) throws -> [[String]?]

    package let table: String
    package let documents: Documents
    /// Names of the columns, each with the weight of a word in it for the engine's rank.
    package let weighedColumns: KeyValuePairs<String, Double>
    /// Names of the columns, and parameters for their texts from the second on.
    package let columns: String
    package let parameters: String
    let weights: String

    /// - Parameter columns: names of the columns, each with the weight of a word in it.
    package init(table: String, columns: KeyValuePairs<String, Double>, documents: @escaping Documents) {
        self.table = table
        self.documents = documents
        weighedColumns = columns
        self.columns = columns.map(\.key).joined(separator: ", ")
        parameters = (2...columns.count + 1).map { "?\($0)" }.joined(separator: ", ")
        weights = columns.map { "\($0.value)" }.joined(separator: ", ")
    }
}

extension TextIndex: Hashable {
    package static func == (lhs: TextIndex, rhs: TextIndex) -> Bool { lhs === rhs }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The subject of one document of an index.
package struct TextSubject: Sendable, Hashable {
    package let index: TextIndex
    package let id: Int64

    package init(_ index: TextIndex, _ id: Int64) {
        self.index = index
        self.id = id
    }

    /// The texts of its document from the tables; nil: there is nothing to index.
    package func texts(_ reader: any SQLReader) throws -> [String]? { try index.documents([id], reader)[0] }
}

/// The words of an index.
package struct TextVocabulary: Sendable {
    /// A statement for the first term at or above a word, and one that finds whether a term occurs in a column that
    /// counts.
    let next: String
    let probe: String
    package let index: TextIndex
    /// Words of this column do not count.
    package let ignoredColumn: String

    /// - Parameters:
    ///   - table: the engine's table of the words of `index`, if it has one.
    ///   - column: words of this column do not count.
    package init(_ index: TextIndex, table: String, ignoring column: String) {
        self.index = index
        ignoredColumn = column
        next = "SELECT term FROM \(table) WHERE term >= ?1 LIMIT 1"
        probe = "SELECT 1 FROM \(table) WHERE term = ?1 AND col <> '\(column)' LIMIT 1"
    }
}
