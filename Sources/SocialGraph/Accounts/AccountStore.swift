import Database
import Text

/// Accounts and their profiles.
package struct AccountStore: Sendable {
    /// Newest people with a matching name among whom the most followed are looked for.
    static let searchedNames = 100_000

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

extension AccountStore {
    /// Creates an account.
    ///
    /// - Parameters:
    ///   - pictureURL: a picture that is not stored here.
    ///   - isNumberedIfTaken: appends a number to a username that is taken.
    ///   - refusesReserved: refuses ``ReservedNames``, which only the operator can assign.
    ///
    /// Throws ``GraphError/usernameTaken(_:)``, ``GraphError/reservedUsername(_:)``, ``GraphError/emailTaken``,
    /// ``GraphError/limitReached(_:)`` for too many preferences, and ``GraphError/refusedByRule(_:)``.
    package func createAccount(
        username: String, email: String?, passwordHash: String?, displayName: String = "", bio: String = "",
        pictureURL: String? = nil, preferences: [String: AttributeValue] = [:], isNumberedIfTaken: Bool = false,
        refusesReserved: Bool = false
    ) async throws -> Account {
        guard !refusesReserved || isNumberedIfTaken || !ReservedNames.contains(username) else {
            throw GraphError.reservedUsername(username)
        }
        let texts = [username, displayName, bio, pictureURL]
        // The user has no id yet: the account's creation assigns it.
        return try await database.writeScreened(
            ScreeningDraft(of: texts, by: UserID(rawValue: 0))
        ) { screening, transaction in
            let account = try Writer(transaction).createAccount(
                username: isNumberedIfTaken ? Writer(transaction).freeUsername(like: username) : username,
                email: email, passwordHash: passwordHash, displayName: displayName, bio: bio, pictureURL: pictureURL)
            if !preferences.isEmpty { try Writer(transaction).change(preferences, ofPreferencesOf: account.id) }
            try transaction.screen(texts, of: .user(account.id), by: account.id, screening)
            return account
        }
    }

    /// The name to show for each of `users`: the display name, else the username.
    package func displayNames(of users: [UserID]) async throws -> [UserID: String] {
        let users = Array(Set(users))
        return try await database.read { reader in
            let names = try reader.first(of: users.map { SQLQuery(Self.displayNameQuery, [.user($0)]) }) { row in
                row.text(0).isEmpty ? row.text(1) : row.text(0)
            }
            return Dictionary(uniqueKeysWithValues: zip(users, names)).compactMapValues(\.self)
        }
    }

    static let displayNameQuery = "SELECT display_name, username FROM account WHERE id = ?1"

    /// The account; nil: there is no such user, or the account was deleted.
    package func account(_ id: UserID) async throws -> Account? {
        try await database.read { try Reader($0).account(id) }
    }

    package func account(username: String) async throws -> Account? {
        try await database.read { reader in
            try reader.first(
                "SELECT \(Reader.accountColumns) FROM account WHERE username_key = ?1 AND deleted_at IS NULL",
                [.text(NameFolding.key(username))], Account.init(row:))
        }
    }

    package func credentials(email: String) async throws -> Credentials? {
        try await database.read { reader in
            try reader.first(
                "SELECT id, password_hash, token_epoch FROM account WHERE email_key = ?1",
                [.text(NameFolding.key(email))], Credentials.init(row:))
        }
    }

    package func credentials(of user: UserID) async throws -> Credentials? {
        try await database.read { reader in
            try reader.first(
                "SELECT id, password_hash, token_epoch FROM account WHERE id = ?1 AND deleted_at IS NULL",
                [.user(user)], Credentials.init(row:))
        }
    }

    /// The epoch that a token must carry to be valid; nil if the account is gone.
    package func tokenEpoch(_ id: UserID) async throws -> Int64? {
        try await database.read { try Reader($0).tokenEpoch(id) }
    }

    /// Ids of all accounts above `cursor`, ascending.
    package func accountIDs(above cursor: UserID?, limit: Int) async throws -> [UserID] {
        try await database.read { reader in
            try reader.rows(
                "SELECT id FROM account WHERE id > ?1 AND deleted_at IS NULL ORDER BY id LIMIT ?2",
                [.integer(cursor?.rawValue ?? 0), .integer(Int64(limit))]
            ) { UserID(rawValue: $0.integer(0)) }
        }
    }

    /// The accounts with most followers, most first.
    package func mostFollowed(limit: Int) async throws -> [Account] {
        try await database.read { reader in
            try reader.rows(
                """
                SELECT \(Reader.accountColumns) FROM account WHERE deleted_at IS NULL
                ORDER BY followers_count DESC, id DESC LIMIT ?1
                """, [.integer(Int64(limit))], Account.init(row:))
        }
    }
}

extension AccountStore.Reader {
    static let accountColumns = """
        id, username, email, created_at, followers_count, following_count, posts_count, display_name, bio,
        picture_url, is_business, updated_at, is_private
        """

    /// Returns whether the user exists and the account has not been deleted.
    package func exists(_ user: UserID) throws -> Bool { try reader.exists(Self.accountProbe, [.user(user)]) }

    /// Returns for each of `users` whether it exists and has not been deleted, in one round trip.
    package func exist(_ users: [UserID]) throws -> [Bool] { try reader.exist(users.map(Self.probe)) }

    /// A query that finds a row if the user exists and the account has not been deleted.
    static func probe(_ user: UserID) -> SQLQuery { SQLQuery(accountProbe, [.user(user)]) }

    /// Throws ``GraphError/accountNotFound`` unless each of `users` exists.
    package func requireAccounts(_ users: [UserID]) throws {
        guard try exist(users).allSatisfy(\.self) else { throw GraphError.accountNotFound }
    }

    /// Returns what a post shows of its author. Throws ``GraphError/accountNotFound``.
    func requireAuthor(_ user: UserID) throws -> PostAuthor {
        guard let author = try reader.first(of: [Self.authorQuery(of: user)], PostAuthor.init(row:))[0] else {
            throw GraphError.accountNotFound
        }
        return author
    }

    static func authorQuery(of user: UserID) -> SQLQuery {
        SQLQuery(
            "SELECT username, suspended_at, silenced_at, is_private FROM account WHERE id = ?1 AND deleted_at IS NULL",
            [.user(user)])
    }

    private static let accountProbe = "SELECT 1 FROM account WHERE id = ?1 AND deleted_at IS NULL"

    /// Throws ``GraphError/usernameTaken(_:)`` or ``GraphError/emailTaken`` if an account other than `user` has that
    /// name or address.
    func requireFree(username: String?, email: String?, besides user: UserID? = nil) throws {
        func isTaken(_ probe: String, _ name: String) throws -> Bool {
            let owner = try reader.first(probe, [.text(NameFolding.key(name))]) { UserID(rawValue: $0.integer(0)) }
            return owner != nil && owner != user
        }
        if let username, try isTaken(Self.usernameProbe, username) { throw GraphError.usernameTaken(username) }
        if let email, try isTaken(Self.emailProbe, email) { throw GraphError.emailTaken }
    }

    static let usernameProbe = "SELECT id FROM account WHERE username_key = ?1"
    static let emailProbe = "SELECT id FROM account WHERE email_key = ?1"

    package func account(_ id: UserID) throws -> Account? {
        try reader.first(
            "SELECT \(Self.accountColumns) FROM account WHERE id = ?1 AND deleted_at IS NULL", [.user(id)],
            Account.init(row:))
    }

    /// Those of `ids` that exist and have not been deleted, in no particular order.
    package func accounts(_ ids: [UserID]) throws -> [Account] {
        Array(try reader.rows(of: Self.accountsQuery.queries(ids.map(SQLValue.user)), Account.init(row:)).joined())
    }

    static let accountsQuery = ListQuery { list in
        "SELECT \(accountColumns) FROM account WHERE id IN (\(list)) AND deleted_at IS NULL"
    }

    package func tokenEpoch(_ id: UserID) throws -> Int64? {
        try reader.first("SELECT token_epoch FROM account WHERE id = ?1 AND deleted_at IS NULL", [.user(id)]) {
            $0.integer(0)
        }
    }
}

extension AccountStore.Writer {
    func createAccount(
        username: String, email: String?, passwordHash: String?, displayName: String = "", bio: String = "",
        pictureURL: String? = nil
    ) throws -> Account {
        try stored.requireFree(username: username, email: email)
        let id = UserID(rawValue: try transaction.nextID())
        try transaction.execute(
            """
            INSERT INTO account (
                id, username, username_key, email, email_key, password_hash, created_at, updated_at, display_name,
                bio, picture_url)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9, ?10)
            """,
            [
                .user(id), .text(username), .text(NameFolding.key(username)), .optional(email),
                .optional(email.map(NameFolding.key)), .optional(passwordHash), .integer(transaction.now),
                .text(displayName), .text(bio), .optional(pictureURL),
            ])
        transaction.index(.account(id))
        guard let account = try stored.account(id) else { throw GraphError.accountNotFound }
        return account
    }
}

extension Account {
    init(row: any SQLRow) {
        id = UserID(rawValue: row.integer(0))
        username = row.text(1)
        email = row.optionalText(2)
        createdAt = row.integer(3)
        followersCount = row.integer(4)
        followingCount = row.integer(5)
        postsCount = row.integer(6)
        displayName = row.text(7)
        bio = row.text(8)
        pictureURL = row.optionalText(9)
        isBusiness = row.integer(10) != 0
        updatedAt = row.integer(11)
        isPrivate = row.integer(12) != 0
    }
}

extension Credentials {
    init(row: any SQLRow) {
        id = UserID(rawValue: row.integer(0))
        passwordHash = row.optionalText(1)
        tokenEpoch = row.integer(2)
    }
}
