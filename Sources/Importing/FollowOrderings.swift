/// The orderings of follows besides the primary key, as the schema defines them. A load larger than the table rebuilds
/// them: sorting all rows once is cheaper than finding the place of each, and leaves full pages.
enum FollowOrderings {
    static let removal = ["DROP INDEX follow_by_follower", "DROP INDEX follow_by_followee"]
    static let creation = [
        "CREATE INDEX follow_by_follower ON follow (follower_id, position, followee_id)",
        "CREATE INDEX follow_by_followee ON follow (followee_id, position, follower_id)",
    ]
}
