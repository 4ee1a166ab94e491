import Database
import SocialGraph

/// The requests with an idempotency key and their answers.
package struct IdempotencyStore: Sendable {
    let database: any GraphDatabase

    init(database: any GraphDatabase) { self.database = database }

    /// Statements within a transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension GraphStore {
    package var idempotency: IdempotencyStore { IdempotencyStore(database: database) }
}

extension IdempotencyStore {
    /// The answered request with this identity; nil: none. One past its time is found until upkeep removes it.
    package func find(_ request: IdempotentRequest) async throws -> KeptRequest? {
        try await database.read { reader in
            try reader.first(Self.requestQuery, Self.identity(request)) { KeptRequest(row: $0) }
        }
    }

    /// Remembers the answer to a request whose effect needed no transaction of its own, or may happen twice. Throws
    /// ``IdempotencyRefusal`` and `GraphError.accountNotFound`.
    package func keep(_ answer: KeptAnswer, to request: IdempotentRequest, fingerprint: [UInt8]) async throws {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([request.user])
            let place = try Writer(transaction).place(for: request)
            try Writer(transaction).keep(answer, to: request, fingerprint: fingerprint, at: place)
        }
    }

    static let requestQuery = """
        SELECT r.fingerprint, r.status, r.location, r.body, r.post_id, r.comment_id, p.id, c.id, r.created_at
        FROM idempotent_request r
        LEFT JOIN post p ON p.id = r.post_id AND p.deleted_at IS NULL
        LEFT JOIN comment c ON c.id = r.comment_id AND c.deleted_at IS NULL
        WHERE r.account_id = ?1 AND r.idempotency_key = ?2 AND r.operation = ?3
        """
    static let firstQuery = """
        SELECT ordinal, created_at FROM idempotent_request WHERE account_id = ?1 ORDER BY ordinal LIMIT 1
        """
    static let lastQuery = """
        SELECT ordinal, created_at FROM idempotent_request WHERE account_id = ?1 ORDER BY ordinal DESC LIMIT 1
        """

    fileprivate static func identity(_ request: IdempotentRequest) -> [SQLValue] {
        [.user(request.user), .text(request.key), .text(request.operation)]
    }
}

extension IdempotencyStore.Writer {
    /// Returns the place of a new request in the order of its user's requests.
    ///
    /// - Throws: ``IdempotencyRefusal/answered(_:)`` if the request is not new,
    ///   ``IdempotencyRefusal/tooManyKeys(secondsUntilRoom:)``.
    func place(for request: IdempotentRequest) throws -> Int64 {
        let identity = IdempotencyStore.identity(request)
        let oldest = transaction.expiryTime - IdempotencyLimits.retention
        var (kept, isExpired) = (KeptRequest?.none, false)
        var ends: [(ordinal: Int64, time: Int64)] = []
        try transaction.fetch([
            SQLQuery(IdempotencyStore.requestQuery, identity),
            SQLQuery(IdempotencyStore.firstQuery, [.user(request.user)]),
            SQLQuery(IdempotencyStore.lastQuery, [.user(request.user)]),
        ]) { index, row in
            if index == 0 {
                (kept, isExpired) = (KeptRequest(row: row), row.integer(8) < oldest)
            } else {
                ends.append((row.integer(0), row.integer(1)))
            }
            return true
        }
        if let kept {
            guard isExpired else { throw IdempotencyRefusal.answered(kept) }
            try transaction.execute(
                """
                DELETE FROM idempotent_request WHERE account_id = ?1 AND idempotency_key = ?2 AND operation = ?3
                """, identity)
        }
        guard let first = ends.first, let last = ends.last else { return 1 }
        if last.ordinal - first.ordinal + 1 >= IdempotencyLimits.keysPerUser, first.time >= oldest {
            let wait = first.time - oldest + 1
            throw IdempotencyRefusal.tooManyKeys(secondsUntilRoom: Int((wait + 999) / 1_000))
        }
        return last.ordinal + 1
    }

    func keep(
        _ answer: KeptAnswer, to request: IdempotentRequest, fingerprint: [UInt8], at place: Int64
    ) throws {
        guard answer.body.count <= IdempotencyLimits.answerBytes else {
            throw IdempotencyRefusal.answerTooLarge(bytes: answer.body.count)
        }
        var (post, comment) = (SQLValue.null, SQLValue.null)
        switch answer.created {
        case .post(let id)?: post = .post(id)
        case .comment(let id)?: comment = .comment(id)
        case nil: break
        }
        try transaction.execute(
            """
            INSERT INTO idempotent_request (account_id, idempotency_key, operation, ordinal, fingerprint, status,
                location, body, post_id, comment_id, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """,
            IdempotencyStore.identity(request) + [
                .integer(place), .blob(fingerprint), .integer(Int64(answer.status)), .optional(answer.location),
                .blob(answer.body), post, comment, .integer(transaction.now),
            ])
    }

    /// Removes up to `limit` requests past their time; false: nothing is left.
    func prune(limit: Int) throws -> Bool {
        try transaction.executeCounting(
            """
            DELETE FROM idempotent_request WHERE (account_id, ordinal) IN (
                SELECT account_id, ordinal FROM idempotent_request WHERE created_at < ?1
                ORDER BY created_at LIMIT ?2)
            """,
            [.integer(transaction.expiryTime - IdempotencyLimits.retention), .integer(Int64(limit))]) == limit
    }

    /// Removes up to `limit` requests of a deleted account; false: nothing is left.
    func erase(_ user: UserID, limit: Int) throws -> Bool {
        try transaction.executeCounting(
            """
            DELETE FROM idempotent_request WHERE account_id = ?1 AND ordinal IN (
                SELECT ordinal FROM idempotent_request WHERE account_id = ?1 ORDER BY ordinal LIMIT ?2)
            """, [.user(user), .integer(Int64(limit))]) > 0
    }
}

extension KeptRequest {
    fileprivate init(row: any SQLRow) {
        let (post, comment) = (row.optionalInteger(4), row.optionalInteger(5))
        let created =
            post.map { CreatedContent.post(PostID(rawValue: $0)) }
            ?? comment.map { .comment(CommentID(rawValue: $0)) }
        fingerprint = row.blob(0)
        answer = KeptAnswer(
            status: Int(row.integer(1)), location: row.optionalText(2), body: row.blob(3), created: created)
        isDeleted =
            (post != nil && row.optionalInteger(6) == nil) || (comment != nil && row.optionalInteger(7) == nil)
    }
}
