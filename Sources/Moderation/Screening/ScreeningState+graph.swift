import Database
import SocialGraph

extension ScreeningState: GraphModeration {
    package func writeScreened<Value: Sendable>(
        _ draft: ScreeningDraft, to database: any GraphDatabase,
        _ body: @escaping @Sendable ((any ScreeningVerdict)?, any GraphTransaction) throws -> Value
    ) async throws -> Value {
        try await ScreeningStore(database: database, screeningState: self).writeScreened(draft) {
            screening, transaction in
            try body(screening.versions.isEmpty ? nil : screening, transaction)
        }
    }

    package func screen(
        _ subject: ModerationSubject, isNew: Bool, _ verdict: (any ScreeningVerdict)?, in community: CommunityID?,
        _ transaction: any GraphTransaction
    ) throws -> Bool {
        try ScreeningStore.Writer(transaction).screen(subject, isNew: isNew, Screening(verdict), in: community)
    }

    package func screen(
        _ texts: [String?], of subject: ModerationSubject, by user: UserID, _ verdict: (any ScreeningVerdict)?,
        _ transaction: any GraphTransaction
    ) throws {
        try ScreeningStore.Writer(transaction).screen(texts, of: subject, by: user, Screening(verdict))
    }

    package func endScreening(of subject: ModerationSubject, _ transaction: any GraphTransaction) throws {
        try ClassifierStore.Writer(transaction).endScreening(of: subject)
    }

    package func suspension(of user: UserID, _ reader: any SQLReader) throws -> Suspension? {
        try ModerationQueryStore.Reader(reader).suspension(of: user)
    }

    package func erase(_ user: UserID, limit: Int, _ transaction: any GraphTransaction) throws -> Bool {
        try CaseErasure(transaction: transaction).erase(user, limit: limit)
    }
}

extension Screening: ScreeningVerdict {
    fileprivate init(_ verdict: (any ScreeningVerdict)?) { self = verdict as? Screening ?? Screening() }
}
