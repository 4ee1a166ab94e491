import Audit
import Database
import SocialGraph

/// Tokens of the operator's programs. Each act on them has an entry in the audit.
package struct ServiceTokenStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }
}

/// A service token that cannot be added.
package enum ServiceTokenRefusal: Error, Equatable {
    /// Another one has the name.
    case nameTaken
}

extension ServiceTokenStore {
    /// Adds a token. Returns it with its text, which is not stored. Throws ``ServiceTokenRefusal/nameTaken``, and
    /// ``GraphError/limitReached(_:)`` (``SessionLimits/serviceTokens``).
    package func add(
        named name: String, scopes: Set<ServiceScope>, by actor: AuditActor
    ) async throws -> (token: ServiceToken, text: ServiceTokenText) {
        let text = ServiceTokenText()
        let token = try await database.write { transaction in
            let others = try Reader(transaction).tokens()
            guard !others.contains(where: { $0.name == name }) else { throw ServiceTokenRefusal.nameTaken }
            guard others.count < SessionLimits.serviceTokens else {
                throw GraphError.limitReached("\(SessionLimits.serviceTokens) service tokens")
            }
            let token = ServiceToken(
                id: try transaction.nextID(), name: name, scopes: scopes, createdAt: transaction.now)
            try transaction.execute(
                "INSERT INTO service_token (id, name, digest, scopes, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
                [
                    .integer(token.id), .text(name), .blob(text.digest), .integer(ServiceScope.bits(of: scopes)),
                    .integer(token.createdAt),
                ])
            try AuditStore.Writer(transaction).append(
                AuditNote(.serviceTokenAdded, by: actor, subject: token.id, detail: token.summary))
            return token
        }
        return (token, text)
    }

    /// Returns all tokens, the oldest first: at most ``SessionLimits/serviceTokens``.
    package func tokens() async throws -> [ServiceToken] {
        try await database.read { try Reader($0).tokens() }
    }

    /// Deletes a token, which ends it at once; returns false if there is none.
    package func revoke(_ id: Int64, by actor: AuditActor) async throws -> Bool {
        try await database.write { transaction in
            guard let token = try Reader(transaction).tokens().first(where: { $0.id == id }) else { return false }
            try transaction.execute("DELETE FROM service_token WHERE id = ?1", [.integer(id)])
            try AuditStore.Writer(transaction).append(
                AuditNote(.serviceTokenRevoked, by: actor, subject: id, detail: token.summary))
            return true
        }
    }

    /// Returns the token of a presented text; nil if it was never added, or was revoked.
    package func token(_ text: ServiceTokenText) async throws -> ServiceToken? {
        try await database.read { reader in
            try reader.first(Self.tokenQuery, [.blob(text.digest)], ServiceToken.init(row:))
        }
    }

    private static let columns = "SELECT id, name, scopes, created_at FROM service_token"
    static let tokenQuery = "\(columns) WHERE digest = ?1"
    fileprivate static let tokensQuery = "\(columns) WHERE id > ?1 ORDER BY id LIMIT ?2"
}

extension ServiceTokenStore.Reader {
    fileprivate func tokens() throws -> [ServiceToken] {
        try reader.rows(
            ServiceTokenStore.tokensQuery, [.integer(0), .integer(Int64(SessionLimits.serviceTokens))],
            ServiceToken.init(row:))
    }
}

extension ServiceToken {
    /// The scopes in their order.
    package var scopeNames: [String] { ServiceScope.allCases.filter(scopes.contains).map(\.rawValue) }

    /// Name and scopes, for people to read.
    fileprivate var summary: String { "\(name): \(scopeNames.joined(separator: ", "))" }

    fileprivate init(row: any SQLRow) throws {
        id = row.integer(0)
        name = row.text(1)
        guard let scopes = ServiceScope.scopes(in: row.integer(2)) else {
            throw DatabaseError.undecodable(ServiceScope.self, row.integer(2))
        }
        self.scopes = scopes
        createdAt = row.integer(3)
    }
}
