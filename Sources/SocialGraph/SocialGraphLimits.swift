import Database
import Text

/// Limits that clients of the API meet: what the graph accepts, and how long it keeps it. Constants that tune an
/// algorithm stand in its type; ``assertConsistency()`` states how both relate.
package enum SocialGraphLimits {
    /// Rows a page may ask for.
    package static let pageSize = 1...100
    /// Rows that one request may examine for filters that no index answers. Beyond it, a page may be short or empty,
    /// and still has a cursor.
    package static let examinedRows = 20_000

    // Texts, in Unicode scalars unless said otherwise.

    /// ASCII characters of a username.
    package static let usernameLength = 30
    /// Length of a display name.
    package static let displayNameLength = 60
    /// Length of a bio.
    package static let bioLength = 500
    /// Length of a title.
    package static let titleLength = 150
    /// Length of a caption.
    package static let captionLength = 2_200
    /// Length of a comment.
    package static let commentLength = 2_000
    /// Users that one text can mention.
    package static let mentionsPerText = 20
    /// Length of a category.
    package static let categoryLength = 64
    /// Length of a tag.
    package static let tagLength = 64
    /// Length of a community's name.
    package static let communityNameLength = 64
    /// Length of a community's description.
    package static let communityDescriptionLength = 2_000
    /// Length of a collection's name.
    package static let collectionNameLength = 60
    /// Length of the name of a place that a post was shared to.
    package static let platformLength = 32
    /// Bytes of a client's user agent.
    package static let userAgentBytes = 256

    // Posts.

    /// Algorithm tags a post may name, counted before duplicates are removed.
    package static let tagsPerPost = 30
    /// Collaborators a post may name.
    package static let collaboratorsPerPost = 20
    /// Levels of replies: a comment on a post is at depth 0.
    package static let commentDepth: Int64 = 8
    /// Attributes of a post, and preferences of a user.
    package static let attributes = 20
    /// Entries of a list among attributes and preferences.
    package static let attributeListLength = 20
    /// Length of the name of an attribute or preference.
    package static let attributeNameLength = 40
    /// Length of a text among attributes and preferences.
    package static let attributeTextLength = 120

    // Users and communities.

    /// Blocks, and mutes, that one user may have.
    package static let blocksOrMutesPerUser: Int64 = 10_000
    /// Words and phrases that one user may mute.
    package static let mutedWords: Int64 = 100
    /// Length of a muted word or phrase, also when folded.
    package static let mutedWordLength = 100
    /// Follow requests of one user that may wait at a time.
    package static let waitingFollowRequests: Int64 = 1_000
    /// Topics one user may follow: each is a source of the home timeline.
    package static let followedTopics: Int64 = 200
    /// Communities one user may join: each is a source of the home timeline.
    package static let joinedCommunities: Int64 = 500
    /// Collections of a user.
    package static let collectionsPerUser: Int64 = 100
    /// Posts of one collection.
    package static let postsPerCollection: Int64 = 1_000
    /// Posts pinned in one community.
    package static let pinsPerCommunity: Int64 = 10

    // Filters and searches.

    /// Algorithm tags of one filter, and of a user's selection.
    package static let filterTags = 50
    /// Length of the text that is searched for.
    package static let searchLength = 200
    /// Words of a search.
    package static let searchWords = SearchWords.most

    // Retention.

    /// The time for which release 0.1.0 remembered an idempotency key.
    package static let idempotencyRetention = Milliseconds.day
    /// The time for which the engagement of an hour is kept: two periods of the longest trend, and a day.
    package static let engagementRetention = 15 * Milliseconds.day
    /// The time for which a deleted account's OpenID Connect identity is refused, because its tokens may still be in
    /// use.
    package static let identityRefusal = 30 * Milliseconds.day

    /// Stops the process if constants of this module contradict each other. Called when the database is opened.
    package static func assertConsistency() {
        precondition(
            pageSize.upperBound < FeedStore.homeProbeFollowees * FeedStore.walkedForProbe,
            "the shortest walk must be able to fill a page")
        precondition(
            collaboratorsPerPost + 1 <= ListQuery.longest, "blocks among all whom a post names are one query")
        precondition(
            FeedStore.homeProbeFollowees * FeedStore.walkedForProbe < FeedStore.homeWalkBudget,
            "a walk may be as long as the shortest one")
    }
}
