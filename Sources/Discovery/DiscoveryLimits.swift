import Database
import SocialGraph

/// Every bound of this module in one place, related by ``assertConsistency()``.
package enum DiscoveryLimits {
    /// Rankings and trends are worked out anew when they are asked for and older than this.
    package static let freshness = 60 * Milliseconds.second
    /// Posts of a stored ranking, and how long it is kept.
    package static let rankingLength = 100_000
    package static let rankingRetention = 20 * Milliseconds.minute
    /// Rankings kept in memory beside those in the database.
    static let rankingsInMemory = 32
    /// Rows that one request may examine.
    package static let examinedRows = SocialGraphLimits.examinedRows
    /// Candidates of a ranking that a page looks at in one go.
    static let candidatesAtOnce = 512
    /// Posts whose scores are added up for a ranking. Of more, those without engagement in the latest hours fall off.
    static let scoredPosts = 1_000_000
    /// Acts of each kind that the ranking of one hour looks at, the latest.
    static let scoredActs = 2_000_000
    /// Posts that trends are counted of; of more, a sample.
    static let countedPosts = 1_000_000
    /// Posts whose topics are looked up for trends; of more, a sample.
    static let topicPosts = 100_000
    /// Topics of each kind that a list of trends can have.
    package static let listedTopics = 100
    /// Engagements without which there is no rating.
    package static let ratedEngagements: Int64 = 20
    /// Posts, counted by the evenness of their engagement, without which there is no rating of a topic.
    package static let ratedPosts = 10.0

    /// Authors, the most followed, whose posts are looked for by a word that begins many names.
    static let authorsOfWord = 64
    /// People that a search for people ranks, the most followed.
    static let searchedAccounts = 1_000
    /// Posts that a search ranks by relevance or popularity, the newest that match; and those that are kept for further
    /// pages, the best that were shown.
    static let searchedPosts = 10_000
    static let rankedPosts = 1_000
    /// Unicode scalars of a word that may have a typing error in it: of shorter ones, too much is one letter away, and
    /// longer ones are no words.
    static let correctedLetters = 4...24
    /// Look-ups in the index of words for those near the one that was asked for, and of the words that are known, how
    /// many are searched for.
    static let nearWords = 2_000
    static let weighedWords = 16
    /// Posts by which one correction is weighed against another.
    static let weighedPosts = 20
    /// Segments of a video, Unicode scalars of their labels, and milliseconds up to which a video can last.
    package static let segmentsPerPost = 200
    package static let segmentLabelLength = 100
    package static let videoLength = 100 * 60 * Milliseconds.minute
    /// Cues of a transcript.
    package static let transcriptCues = 20_000
    /// Unicode scalars of a command that jumps to a part of a video.
    package static let commandLength = 300
    /// Cues and segments of videos that are kept ready to be matched; some 500 bytes each.
    static let cuesInMemory = 200_000
    /// Components of an embedding, and how far each may be from zero.
    package static let embeddingDimensions = 1...4_096
    package static let embeddingComponent = 1e6
    /// Coordinates of a vector's code that a search looks at first, and how many standard deviations above its mean
    /// their share of a squared distance may be before the vector is given up. At 5, a vector that belongs to the
    /// nearest is given up less than 3 times in 100,000 (the tail of Beta(32, (dimension - 64)/2)).
    static let headCoordinates = 64
    static let headDeviations = 5.0
    /// Posts whose codes lie together, and how many of those segments are swept before others get their turn.
    static let segmentRows = 1_024
    static let segmentsAtOnce = 32
    /// Embeddings that are read in one go, and how often those that have changed are read where nobody searches.
    static let embeddingsAtOnce = 512
    static let embeddingUpdateInterval = Duration.milliseconds(500)
    /// Similar posts that are looked at in one go, and posts of a filter that are compared one by one.
    static let similarAtOnce = 4_096
    /// How often the index is asked where what it proposes has changed before it was read. Then it is done without.
    static let similarAttempts = 8
    /// A list of recommendations is made anew when the user has done something since, and when it is older than this.
    package static let recommendationFreshness = 5 * Milliseconds.second
    /// Lists of recommendations that are kept in memory meanwhile.
    static let recommendationListsInMemory = 1_000
    /// Lists of recommendations that one user may be paging through.
    package static let recommendationListsPerUser = 4
    /// Seconds of a video that one can say to have watched.
    package static let watchedSeconds = 0.0...86_400.0
    /// Posts of a list of recommendations.
    package static let recommendedPosts = 300
    /// Acts of each kind, and posts among them, from which a user's taste is known.
    static let tasteHistory = 100
    /// Authors, and topics, of a user's taste whose latest posts are candidates; feeds of preferences; and the posts
    /// of each of those.
    static let tasteSources = 12
    static let preferenceSources = 24
    static let candidatesOfFeed = 30
    /// Candidates by what others did, of home, of what is trending, and of the newest posts.
    static let candidatesOfSource = 300
    /// Where there are fewer candidates than these, older posts are looked at, up to so many in all.
    static let fewCandidates = 100
    static let candidatesLookedAt = 20_000
    /// Acts of each kind that neighbours of posts are learned from, the latest; how many are read at a time; and the
    /// latest of them that count of one user.
    static let learnedActs = 1_000_000
    static let actsAtOnce = 10_000
    static let learnedHistory = 200

    package static func assertConsistency() {
        precondition(rankingLength <= scoredPosts, "a ranking must be able to fill up")
        precondition(rankedPosts <= rankingLength, "a search must be able to store its ranking")
        precondition(rankedPosts <= searchedPosts, "of those that are ranked a part is kept")
        precondition(topicPosts <= countedPosts, "topics are looked up for a part of what is counted")
        precondition(
            transcriptCues + segmentsPerPost < cuesInMemory / 2,
            "the longest transcript must find room")
        precondition(
            freshness * 3 + 15 * Milliseconds.minute <= rankingRetention,
            "a ranking that is handed out late must still be kept for a quarter of an hour")
        precondition(
            recommendedPosts <= rankingLength, "cursors reach as far as rankings are long")
        precondition(
            SocialGraphLimits.pageSize.upperBound <= fewCandidates, "a page must be filled as long as there is more")
        precondition(
            2 * TrendWindow.week.hours * EngagementClock.millisecondsPerHour < SocialGraphLimits.engagementRetention,
            "two periods of the longest trend must be kept")
    }
}
