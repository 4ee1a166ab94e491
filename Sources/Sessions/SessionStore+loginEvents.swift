import Database
import SocialGraph

/// The log of log-ins for its user. It is bounded for each user, and wrong passwords and codes, which anybody can
/// enter, take no room from the owner's own events.
extension SessionStore {
    /// Returns the events of `user` below `cursor`, latest first.
    package func loginEvents(
        of user: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<LoginEvent, Int64> {
        try await database.read { reader in
            let rows = try reader.rows(
                Self.loginEventsQuery, [.user(user), .integer(cursor ?? .max), .integer(Int64(limit + 1))],
                LoginEvent.init(row:))
            return Page(rows: rows, limit: limit) { $0.id }
        }
    }

    static let loginEventsQuery = """
        SELECT id, outcome, address, user_agent, first_at, last_at, count FROM login_event
        WHERE user_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3
        """

    /// Records wrong passwords; skips those for deleted accounts.
    package func noteWrongPasswords(_ attempts: [WrongPasswords]) async throws {
        try await database.write { transaction in
            let exist = try AccountStore.Reader(transaction).exist(attempts.map(\.user))
            // One by one: each event may evict an older one, which the next would otherwise count on.
            for (attempt, exists) in zip(attempts, exist) where exists {
                try Writer(transaction).noteLogin(
                    .wrongPassword, of: attempt.user, from: attempt.origin, count: attempt.count)
            }
        }
    }
}

extension SessionStore.Writer {
    func noteLogin(_ outcome: LoginEvent.Outcome, of user: UserID, from origin: LoginOrigin, count: Int64 = 1) throws {
        if outcome.isGuess {
            let hour = transaction.now - transaction.now % Milliseconds.hour
            let open = try transaction.first(
                Self.openGuessesQuery,
                [.user(user), .text(origin.address ?? ""), .integer(hour), .text(outcome.rawValue)]
            ) { $0.integer(0) }
            if let open {
                try transaction.execute(
                    "UPDATE login_event SET count = count + ?2, last_at = ?3 WHERE id = ?1",
                    [.integer(open), .integer(count), .integer(transaction.now)])
                return
            }
        }
        try transaction.execute(
            """
            INSERT INTO login_event (id, user_id, outcome, address, user_agent, first_at, last_at, count)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)
            """,
            [
                .integer(try transaction.nextID()), .user(user), .text(outcome.rawValue), .text(origin.address ?? ""),
                .text(origin.userAgent ?? ""), .integer(transaction.now), .integer(count),
            ])
        let limit = outcome.isGuess ? SessionLimits.guessEventsPerUser : SessionLimits.loginEventsPerUser
        let kept = try transaction.rows(
            outcome.isGuess ? Self.guessEventsQuery : Self.ownEventsQuery, [.user(user), .integer(Int64(limit) + 1)]
        ) { $0.integer(0) }
        guard kept.count > limit, let last = kept.last else { return }
        try transaction.execute("DELETE FROM login_event WHERE id = ?1", [.integer(last)])
    }

    /// Deletes the known addresses and log-in events of a deleted account.
    func forgetLogins(of user: UserID) throws {
        try transaction.execute("DELETE FROM known_address WHERE user_id = ?1", [.user(user)])
        try transaction.execute("DELETE FROM login_event WHERE user_id = ?1", [.user(user)])
    }

    private static let guesses = LoginEvent.Outcome.allCases.filter(\.isGuess).map(\.literal).joined(separator: ", ")
    static let openGuessesQuery = """
        SELECT id FROM login_event
        WHERE user_id = ?1 AND outcome = ?4 AND address = ?2 AND first_at >= ?3 ORDER BY id DESC LIMIT 1
        """
    static let guessEventsQuery = """
        SELECT id FROM login_event WHERE user_id = ?1 AND outcome IN (\(guesses)) ORDER BY id DESC LIMIT ?2
        """
    static let ownEventsQuery = """
        SELECT id FROM login_event WHERE user_id = ?1 AND outcome NOT IN (\(guesses)) ORDER BY id DESC LIMIT ?2
        """
}

extension LoginEvent {
    init(row: any SQLRow) throws {
        id = row.integer(0)
        outcome = try row.choice(1)
        func given(_ text: String) -> String? { text.isEmpty ? nil : text }
        origin = LoginOrigin(address: given(row.text(2)), userAgent: given(row.text(3)))
        firstAt = row.integer(4)
        lastAt = row.integer(5)
        count = row.integer(6)
    }
}
