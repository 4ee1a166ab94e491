import Database

@testable import SocialGraph

/// A graph in which tests create people and posts.
package protocol GraphScene: Sendable {
    var graph: GraphStore { get }
}

extension GraphScene {
    /// Creates an account.
    ///
    /// - Parameter acceptance: the inviters whose invitations are accepted at once.
    package func user(_ name: String, accepting acceptance: AutoAcceptance = .following) async throws -> UserID {
        let user = try await graph.accounts.createAccount(username: name, email: nil, passwordHash: nil).id
        try await accept(acceptance, by: [user])
        return user
    }

    package func users(
        _ count: Int, prefix: String = "user", accepting acceptance: AutoAcceptance = .following
    ) async throws -> [UserID] {
        let users = try await graph.database.write { transaction in
            try (0..<count).map {
                try AccountStore.Writer(transaction).createAccount(
                    username: "\(prefix)\($0)", email: nil, passwordHash: nil
                )
                .id
            }
        }
        try await accept(acceptance, by: users)
        return users
    }

    private func accept(_ acceptance: AutoAcceptance, by users: [UserID]) async throws {
        guard acceptance == .following else { return }
        try await graph.database.write { transaction in
            for user in users {
                try transaction.execute("UPDATE account SET auto_accepts = 1 WHERE id = ?1", [.user(user)])
            }
        }
    }

    @discardableResult
    package func post(_ author: UserID, _ caption: String = "caption", with collaborators: [UserID] = []) async throws
        -> PostID
    {
        try await graph.posts.publish(NewPost.sample(author, caption, with: collaborators)).id
    }

    /// The first column of all rows.
    package func integers(_ sql: String) async throws -> [Int64] {
        try await graph.database.read { try $0.rows(sql, []) { $0.integer(0) } }
    }

    package func integer(_ sql: String) async throws -> Int64? { try await integers(sql).first }

    /// Writes reshares in bulk, without jobs and without the checks of a single reshare, for very large networks.
    package func reshare(_ acts: [(post: PostID, user: UserID)]) async throws -> [FeedEntry] {
        try await graph.database.write { transaction in
            try acts.map { act in
                let id = try transaction.nextID()
                try transaction.execute(
                    "INSERT INTO reshare (id, user_id, post_id) VALUES (?1, ?2, ?3)",
                    [.integer(id), .user(act.user), .post(act.post)])
                try transaction.execute(
                    """
                    UPDATE post SET shares_count = shares_count + 1, sharers_count = sharers_count + 1 WHERE id = ?1
                    """, [.post(act.post)])
                return FeedEntry(position: FeedPosition(rawValue: id), post: act.post)
            }
        }
    }

    /// Settles every pending job, and returns them.
    @discardableResult
    package func acknowledgeAll() async throws -> [OutboxJob.Work] {
        let jobs = try await graph.outbox.outboxJobs(above: nil, limit: .max)
        let lease = try await graph.outbox.takeLease(from: .isDead)
        try await graph.outbox.acknowledgeJobs(by: .outbox(lease.epoch), finished: jobs.map(\.id))
        return jobs.map(\.work)
    }

    /// The pending jobs of the outbox.
    package func work() async throws -> [OutboxJob.Work] {
        try await graph.outbox.outboxJobs(above: nil, limit: .max).map(\.work)
    }
}

extension NewPost {
    package static func sample(_ author: UserID, _ caption: String = "caption", with collaborators: [UserID] = [])
        -> NewPost
    {
        NewPost(author: author, caption: caption, mediaURL: "https://media.example/1", collaborators: collaborators)
    }
}
