import Database
import Synchronization

/// Writes documents of full-text indexes: the words of each column, and a vector of all of them.
struct ServerTextIndex {
    let transaction: any GraphTransaction

    /// Updates documents from the tables.
    func update(_ subjects: some Sequence<TextSubject>) throws {
        for (index, subjects) in Dictionary(grouping: subjects, by: \.index) {
            let ids = subjects.map(\.id).sorted()
            for (id, texts) in zip(ids, try index.documents(ids, transaction)) {
                try transaction.execute("DELETE FROM \(index.table) WHERE id = ?1", [.integer(id)])
                if let texts { try insert(id, texts, into: index) }
            }
        }
    }

    /// Inserts documents that are in no index yet.
    func insert(_ documents: [GroupLedger.NewDocument]) throws {
        for (subject, texts) in documents { try insert(subject.id, texts, into: subject.index) }
    }

    private func insert(_ id: Int64, _ texts: [String], into index: TextIndex) throws {
        let labels = index.labels
        let columns = zip(index.weighedColumns, texts).compactMap { column, text in
            labels[column.key].map { (label: $0, words: UnicodeWords.words(of: text)) }
        }
        // With a space around each word, so that words in a row can be found as a part of the text.
        let stored = columns.map { SQLValue.text(" " + $0.words.map { $0 + " " }.joined()) }
        try transaction.insert(index.insertion, [.integer(id)] + stored + [.text(Lexemes.vector(columns))])
    }
}

extension TextIndex {
    private static let insertions = Mutex<[String: RowInsertion]>([:])

    fileprivate var insertion: RowInsertion {
        Self.insertions.withLock { known in
            if let insertion = known[table] { return insertion }
            let insertion = newInsertion
            known[table] = insertion
            return insertion
        }
    }

    private var newInsertion: RowInsertion {
        let texts = weighedColumns.map { (name: $0.key, type: RowInsertion.ColumnType.text) }
        return RowInsertion(
            into: table, [("id", .integer)] + texts + [("words", .text)], casts: ["words": "tsvector"])
    }
}
