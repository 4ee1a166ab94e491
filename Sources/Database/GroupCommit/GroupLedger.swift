/// The part of a commit group that its engine does not hold: the ids that it takes, its places in the change log, the
/// notes for its observers, and the documents to index.
package struct GroupLedger {
    /// A document of a subject that the group has created.
    package typealias NewDocument = (subject: TextSubject, texts: [String])

    /// Milliseconds since 1970, one value for the whole group.
    package let now: Int64
    package private(set) var notes: (any CommitNotes)?
    /// Subjects to reindex. Those of undone requests stay: their documents are unchanged, or absent.
    package private(set) var subjects: Set<TextSubject> = []
    private var documents: [NewDocument] = []
    /// Rows of the change log that the group has written, and the place of the last one.
    private var logged: Int64 = 0
    private var lastPlace: Int64 = 0
    private var sequence: IDSequence
    private let firstID: Int64
    private var mark = (logged: Int64(0), documents: 0, place: Int64(0))
    private var notesMark: (any Sendable)?

    /// - Parameter lastID: the last id that was assigned before the group.
    package init(now: Int64, lastID: Int64) {
        self.now = now
        sequence = IDSequence(last: lastID)
        firstID = lastID
    }

    package mutating func nextID() throws -> Int64 { try sequence.next(now: now) }

    package mutating func note(_ body: (inout (any CommitNotes)?) -> Void) { body(&notes) }

    /// Records a row of the change log, which is at `place`.
    package mutating func noteChange(at place: Int64) {
        lastPlace = place
        logged += 1
    }

    package mutating func index(_ subject: TextSubject) { subjects.insert(subject) }

    package mutating func index(new subject: TextSubject, texts: [String]) { documents.append((subject, texts)) }

    /// Marks the start of a request …
    package mutating func setMark() {
        mark = (logged, documents.count, lastPlace)
        notesMark = notes?.length
    }

    /// … so that a failed request leaves nothing for the observers. Ids it took stay unused.
    package mutating func rewind() {
        if let notesMark { notes?.cut(to: notesMark) } else { notes = nil }
        documents.removeLast(documents.count - mark.documents)
        // The log assigns the places of an undone request again.
        logged = mark.logged
        lastPlace = mark.place
    }

    /// The documents to insert. One that changed after its creation is among ``subjects``, in its present form.
    package var newDocuments: [NewDocument] {
        subjects.isEmpty ? documents : documents.filter { !subjects.contains($0.subject) }
    }

    /// The last id that the group has taken; nil: it has taken none.
    package var takenID: Int64? { sequence.last == firstID ? nil : sequence.last }

    /// The places of the group in the change log; nil: it has none.
    package var places: ClosedRange<Int64>? { logged > 0 ? (lastPlace - logged + 1)...lastPlace : nil }

    /// The news for the observers.
    package var news: CommittedGroup { CommittedGroup(sequence: places, notes: notes) }
}
