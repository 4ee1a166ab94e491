import Audit
import Database
import SocialGraph

/// Classifiers of the site, managed by its moderators, and of communities, managed by their owners as well. Every
/// method throws ``ModerationError/notPermitted(_:)`` for other users. What the site's moderators do is in the audit,
/// without URLs and secrets.
package struct ClassifierStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
        /// Queries that see the writes of the transaction.
        var stored: Reader { Reader(transaction) }
    }
}

extension ClassifierStore {
    /// Creates a classifier. Throws ``GraphError/communityNotFound`` and ``GraphError/limitReached(_:)``
    /// (``ModerationLimits/classifiersPerScope``).
    package func createClassifier(_ new: NewClassifier, by user: UserID) async throws -> Classifier {
        try await database.write { transaction in
            try RuleStore.Reader(transaction).requireModerating(new.community, by: user, asOwner: true)
            let isOfSite = new.community == nil
            try BlockAndMuteStore.Reader(transaction).requireRoom(
                "SELECT COUNT(*) FROM classifier WHERE community_id " + (isOfSite ? "IS NULL" : "= ?1"),
                RuleStore.scope(new.community), below: ModerationLimits.classifiersPerScope, "classifiers")
            let id = ClassifierID(rawValue: try transaction.nextID())
            try transaction.execute(
                """
                INSERT INTO classifier (id, community_id, name, url, secret, timeout_ms, fallback, is_enabled,
                    created_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                """,
                [
                    .integer(id.rawValue), new.community.map(SQLValue.community) ?? .null, .text(new.name),
                    .text(new.url), .blob(new.secret), .integer(new.timeout), .text(new.fallback.rawValue),
                    .flag(new.isEnabled), .integer(transaction.now),
                ])
            try RuleStore.Writer(transaction).rulesChanged(of: new.community)
            let added = try Reader(transaction).classifier(id, by: user)
            try Writer(transaction).note(.classifierAdded, added, by: user)
            return added
        }
    }

    /// Changes a classifier. Earlier calls keep the earlier fallback. Throws ``ModerationError/classifierNotFound``.
    package func changeClassifier(
        _ id: ClassifierID, _ change: ClassifierChange, by user: UserID
    ) async throws -> Classifier {
        try await database.write { transaction in
            let before = try Reader(transaction).classifier(id, by: user)
            try transaction.execute(
                """
                UPDATE classifier SET name = ?2, url = ?3, timeout_ms = ?4, fallback = ?5, is_enabled = ?6
                WHERE id = ?1
                """,
                [
                    .integer(id.rawValue), .text(change.name ?? before.name), .text(change.url ?? before.url),
                    .integer(change.timeout ?? before.timeout), .text((change.fallback ?? before.fallback).rawValue),
                    .flag(change.isEnabled ?? before.isEnabled),
                ])
            if change.isEnabled == false { try Writer(transaction).endWaiting(for: id) }
            try RuleStore.Writer(transaction).rulesChanged(of: before.community)
            let after = try Reader(transaction).classifier(id, by: user)
            let changes = after.changes(since: before)
            if !changes.isEmpty {
                try Writer(transaction).note(.classifierChanged, after, changes: changes, by: user)
            }
            return after
        }
    }

    /// Deletes a classifier. Its fallback applies to pending content. Throws ``ModerationError/classifierNotFound``.
    package func deleteClassifier(_ id: ClassifierID, by user: UserID) async throws {
        try await database.write { transaction in
            let classifier = try Reader(transaction).classifier(id, by: user)
            try transaction.execute("DELETE FROM classifier WHERE id = ?1", [.integer(id.rawValue)])
            try Writer(transaction).endWaiting(for: id)
            try RuleStore.Writer(transaction).rulesChanged(of: classifier.community)
            try Writer(transaction).note(.classifierRemoved, classifier, by: user)
        }
    }

    /// A classifier. Throws ``ModerationError/classifierNotFound``.
    package func classifier(_ id: ClassifierID, by user: UserID) async throws -> Classifier {
        try await database.read { try Reader($0).classifier(id, by: user) }
    }

    /// The classifiers of a scope, the oldest first. Throws ``GraphError/communityNotFound``.
    package func classifiers(
        of community: CommunityID?, above cursor: ClassifierID?, limit: Int, by user: UserID
    ) async throws -> Page<Classifier, Int64> {
        try await database.read { reader in
            try RuleStore.Reader(reader).requireModerating(community, by: user, asOwner: true)
            let rows = try Reader(reader).classifiers(of: community, above: cursor?.rawValue ?? 0, limit: limit + 1)
            return Page(rows: rows, limit: limit, cursor: \.id.rawValue)
        }
    }
}

extension ClassifierStore.Reader {
    fileprivate func classifier(_ id: ClassifierID, by user: UserID) throws -> Classifier {
        guard let classifier = try self.classifier(id) else { throw ModerationError.classifierNotFound }
        try RuleStore.Reader(reader).requireModerating(classifier.community, by: user, asOwner: true)
        return classifier
    }

    private func classifier(_ id: ClassifierID) throws -> Classifier? { try classifiers([id])[id] }

    /// Those of the classifiers that exist, in one round trip.
    func classifiers(_ ids: Set<ClassifierID>) throws -> [ClassifierID: Classifier] {
        let found = try reader.first(
            of: ids.map { SQLQuery("\(Self.classifierColumns) WHERE id = ?1", [.integer($0.rawValue)]) },
            Classifier.init(row:))
        return Dictionary(found.compactMap(\.self).map { ($0.id, $0) }) { first, _ in first }
    }

    func classifiers(of community: CommunityID?, above cursor: Int64, limit: Int) throws -> [Classifier] {
        let page: [SQLValue] = [.integer(cursor), .integer(Int64(limit))]
        return try reader.rows(
            community == nil ? Self.siteClassifiersQuery : Self.communityClassifiersQuery,
            page + RuleStore.scope(community),
            Classifier.init(row:))
    }

    private static let classifierColumns = """
        SELECT id, community_id, name, url, secret, timeout_ms, fallback, is_enabled, created_at FROM classifier
        """
    static let siteClassifiersQuery =
        "\(classifierColumns) WHERE community_id IS NULL AND id > ?1 ORDER BY id LIMIT ?2"
    static let communityClassifiersQuery =
        "\(classifierColumns) WHERE community_id = ?3 AND id > ?1 ORDER BY id LIMIT ?2"
}

extension ClassifierStore.Writer {
    fileprivate func note(
        _ action: AuditAction, _ classifier: Classifier, changes: [String] = [], by user: UserID
    ) throws {
        try AuditStore.Writer(transaction).appendSiteAct(
            action, by: user, subject: classifier.id.rawValue,
            detail: AuditNote.detail(classifier.name, in: classifier.community, changes: changes))
    }

    fileprivate func endWaiting(for id: ClassifierID) throws {
        try transaction.execute(
            "UPDATE classification SET due_at = ?2, next_at = ?2 WHERE classifier_id = ?1",
            [.integer(id.rawValue), .integer(transaction.now)])
    }
}

extension Classifier {
    /// The names of the parts that somebody has changed.
    fileprivate func changes(since before: Classifier) -> [String] {
        let parts = [
            ("name", name != before.name), ("url", url != before.url), ("timeoutMs", timeout != before.timeout),
            ("fallback", fallback != before.fallback), ("enabled", isEnabled != before.isEnabled),
        ]
        return parts.filter(\.1).map(\.0)
    }

    init(row: any SQLRow) throws {
        id = ClassifierID(rawValue: row.integer(0))
        community = row.optionalInteger(1).map(CommunityID.init(rawValue:))
        name = row.text(2)
        url = row.text(3)
        secret = row.blob(4)
        timeout = row.integer(5)
        fallback = try row.choice(6)
        isEnabled = row.integer(7) != 0
        createdAt = row.integer(8)
    }
}
