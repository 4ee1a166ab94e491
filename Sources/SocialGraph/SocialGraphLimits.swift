import Database

/// Every bound of this module in one place. `assertConsistency()` states how they relate.
package enum SocialGraphLimits {
    /// Rows a page may ask for.
    package static let pageSize = 1...100
    /// Rows that one request may examine in search of what its filters ask for, where no index answers them. Then a
    /// page may be short, or empty, and has a cursor all the same.
    package static let examinedRows = 20_000
    /// Posts with a number in some range that are listed by way of the number; of more, the posts are looked through.
    static let postsOfRange = 1_024
    /// Unicode scalars of a caption.
    package static let captionLength = 2_200
    /// Bytes of any URL.
    package static let urlLength = 2_048
    /// Unicode scalars of a category.
    package static let categoryLength = 64
    /// Algorithm tags a post may name, counted before duplicates are dropped.
    package static let tagsPerPost = 30
    /// Unicode scalars of a tag.
    package static let tagLength = 64
    /// Collaborators a post may name.
    package static let collaboratorsPerPost = 20
    /// Blocks, and mutes, that one user may have.
    package static let relationsPerUser: Int64 = 10_000
    /// Topics one user may follow: each is a source of the home timeline.
    package static let followedTopics: Int64 = 200
    /// Communities one user may join: each is a source of the home timeline.
    package static let joinedCommunities: Int64 = 500
    /// Algorithm tags of one filter, and of a user's selection.
    package static let filterTags = 50
    /// Unicode scalars of a community's name and description.
    package static let communityNameLength = 64
    package static let communityDescriptionLength = 2_000
    /// Levels of replies: a comment on a post is at depth 0.
    package static let commentDepth: Int64 = 8
    /// Unicode scalars of a comment, a title, a bio, a display name, and the name of a place a post was shared to.
    package static let commentLength = 2_000
    package static let titleLength = 150
    package static let bioLength = 500
    package static let displayNameLength = 60
    package static let platformLength = 32
    /// Users that one text can mention.
    package static let mentionsPerText = 20
    /// How long notifications are kept.
    package static let notificationRetention = 90 * Milliseconds.day
    /// Attributes of a post, preferences of a user, entries of a list among them, Unicode scalars of their names and of
    /// a text among them.
    package static let attributes = 20
    package static let attributeListLength = 20
    package static let attributeNameLength = 40
    package static let attributeTextLength = 120
    /// Collections of a user, posts of one of them, Unicode scalars of its name.
    package static let collectionsPerUser: Int64 = 100
    package static let postsPerCollection: Int64 = 1_000
    package static let collectionNameLength = 60
    /// Unicode scalars of what is searched for, and its words.
    package static let searchLength = 200
    package static let searchWords = 16
    /// People with a name that is searched for, the newest, among whom the most followed are looked for.
    package static let searchedNames = 100_000
    /// ASCII characters of a username.
    package static let usernameLength = 30
    /// Bytes of what a client calls itself.
    package static let userAgentBytes = 256
    /// How long a deleted account's identity at an outside issuer is refused: its tokens may still be about.
    package static let identityRefusal = 30 * Milliseconds.day
    /// Rows that one step of an erasure removes.
    package static let erasureStep = 100
    /// Posts pinned in one community.
    package static let pinsPerCommunity: Int64 = 10
    /// Reshares of a post that are looked through for the first by somebody whom a reader follows, before the question
    /// is put to each of those instead.
    package static let resharesLookedThrough = 512
    /// A hub is pushed again when its followers have fallen to this share of the threshold, in percent.
    package static let hubReturnPercent: Int64 = 80
    package static let defaultHubThreshold: Int64 = 10_000
    package static let idempotencyKeyLength = 255
    /// How long an idempotency key is remembered.
    package static let idempotencyRetention = Milliseconds.day
    /// How long the engagement of an hour is kept: two periods of the longest trend, and a day.
    package static let engagementRetention = 15 * Milliseconds.day
    /// Candidates that the newest-first walk of a home pull looks at before it turns to one probe a followee.
    package static let homeWalkBudget = 16_384
    /// Rows that a walk looks at in the time in which one followee is asked for posts, or for reshares.
    package static let walkedForProbe = 8
    /// Up to so many followees a home pull asks each of them; above, it walks the newest posts first.
    package static let homeProbeFollowees = 48
    /// Followees whom a home pull asks in one round trip.
    package static let homeProbesAtOnce = 256

    package static func assertConsistency() {
        precondition(
            pageSize.upperBound < homeProbeFollowees * walkedForProbe, "the shortest walk must be able to fill a page")
        precondition(
            collaboratorsPerPost + 1 <= ListQuery.longest, "blocks among all whom a post names are one query")
        precondition(homeProbeFollowees * walkedForProbe < homeWalkBudget, "a walk may be as long as the shortest one")
    }
}
