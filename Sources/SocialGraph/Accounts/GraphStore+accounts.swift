extension GraphStore {
    static let accountColumns = "id, username, email, created_at, followers_count, following_count, posts_count"

    /// Creates an account. Throws ``GraphError/usernameTaken(_:)`` or ``GraphError/emailTaken``.
    package func createAccount(username: String, email: String?, passwordHash: String?) async throws -> Account {
        try await database.write { transaction in
            try Self.createAccount(username: username, email: email, passwordHash: passwordHash, in: transaction)
        }
    }

    static func createAccount(
        username: String, email: String?, passwordHash: String?, in transaction: any GraphTransaction
    ) throws -> Account {
        let usernameKey = NameFolding.key(username)
        let emailKey = email.map(NameFolding.key)
        if try transaction.exists("SELECT 1 FROM account WHERE username_key = ?1", [.text(usernameKey)]) {
            throw GraphError.usernameTaken(username)
        }
        if let emailKey, try transaction.exists("SELECT 1 FROM account WHERE email_key = ?1", [.text(emailKey)]) {
            throw GraphError.emailTaken
        }
        let id = UserID(rawValue: try transaction.nextID())
        try transaction.execute(
            """
            INSERT INTO account (id, username, username_key, email, email_key, password_hash, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """,
            [
                .user(id), .text(username), .text(usernameKey), .optional(email), .optional(emailKey),
                .optional(passwordHash), .integer(transaction.now),
            ]
        )
        return Account(
            id: id, username: username, email: email, createdAt: transaction.now, followersCount: 0, followingCount: 0,
            postsCount: 0
        )
    }

    package func account(_ id: UserID) async throws -> Account? {
        try await database.read { reader in
            try reader.first(
                "SELECT \(Self.accountColumns) FROM account WHERE id = ?1", [.user(id)], Account.init(row:))
        }
    }

    package func account(username: String) async throws -> Account? {
        try await database.read { reader in
            try reader.first(
                "SELECT \(Self.accountColumns) FROM account WHERE username_key = ?1",
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

    /// The epoch that a token must carry to be valid; nil if the account is gone.
    package func tokenEpoch(_ id: UserID) async throws -> Int64? {
        try await database.read { reader in
            try reader.first("SELECT token_epoch FROM account WHERE id = ?1", [.user(id)]) { $0.integer(0) }
        }
    }

    /// Ids of all accounts above `cursor`, ascending.
    package func accountIDs(above cursor: UserID?, limit: Int) async throws -> [UserID] {
        try await database.read { reader in
            try reader.rows(
                "SELECT id FROM account WHERE id > ?1 ORDER BY id LIMIT ?2",
                [.integer(cursor?.rawValue ?? 0), .integer(Int64(limit))]
            ) { UserID(rawValue: $0.integer(0)) }
        }
    }

    /// The accounts with most followers, most first.
    package func mostFollowed(limit: Int) async throws -> [Account] {
        try await database.read { reader in
            try reader.rows(
                "SELECT \(Self.accountColumns) FROM account ORDER BY followers_count DESC, id DESC LIMIT ?1",
                [.integer(Int64(limit))], Account.init(row:))
        }
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
    }
}

extension Credentials {
    init(row: any SQLRow) {
        id = UserID(rawValue: row.integer(0))
        passwordHash = row.optionalText(1)
        tokenEpoch = row.integer(2)
    }
}
