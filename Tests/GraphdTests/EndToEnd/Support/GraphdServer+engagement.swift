import Database
import ServiceTestSupport
import SocialGraph

extension GraphdServer {
    /// Counts engagement of a post as of `hoursAgo`, beside the server.
    func engage(_ post: String, hoursAgo: Int64 = 0, likes: Int64 = 0, shares: Int64 = 0) async throws {
        guard let post = Int64(post) else { return }
        let hour = SystemClock.milliseconds() / EngagementClock.millisecondsPerHour - hoursAgo
        try await graph.database.write { transaction in
            try transaction.execute(
                """
                INSERT INTO engagement_hour (hour, post_id, likes, shares) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (hour, post_id) DO UPDATE SET likes = likes + excluded.likes,
                    shares = shares + excluded.shares
                """,
                [.integer(hour), .integer(post), .integer(likes), .integer(shares)])
        }
    }

    /// Makes an account a business account, beside the server.
    func makeBusiness(_ person: Person) async throws {
        try await graph.database.write { transaction in
            try transaction.execute("UPDATE account SET is_business = 1 WHERE id = ?1", [.user(person.id)])
        }
    }
}
