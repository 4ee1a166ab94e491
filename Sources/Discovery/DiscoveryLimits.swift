import Database
import SocialGraph

/// Limits of this module that clients of the API meet. Constants that tune an algorithm stand in its type;
/// ``assertConsistency()`` states how both relate.
package enum DiscoveryLimits {
    /// Age at which rankings and trends are worked out anew when they are asked for.
    package static let freshness = 60 * Milliseconds.second
    /// Posts of a stored ranking.
    package static let rankingLength = 100_000
    /// The time for which a stored ranking is kept.
    package static let rankingRetention = 20 * Milliseconds.minute
    /// Topics of each kind that a list of trends can have.
    package static let listedTopics = 100
    /// Engagements without which there is no rating.
    package static let ratedEngagements: Int64 = 20
    /// Posts, counted by the evenness of their engagement, without which there is no rating of a topic.
    package static let ratedPosts = 10.0
    /// Segments of a video.
    package static let segmentsPerPost = 200
    /// Unicode scalars of a segment's label.
    package static let segmentLabelLength = 100
    /// Milliseconds up to which a video can last.
    package static let videoLength = 100 * 60 * Milliseconds.minute
    /// Cues of a transcript.
    package static let transcriptCues = 20_000
    /// Unicode scalars of a command that jumps to a part of a video.
    package static let commandLength = 300
    /// Components of an embedding.
    package static let embeddingDimensions = 1...4_096
    /// Distance from zero that a component of an embedding may have.
    package static let embeddingComponent = 1e6
    /// Age at which a list of recommendations is made anew. One is also made anew when the user has done something
    /// since.
    package static let recommendationFreshness = 5 * Milliseconds.second
    /// Lists of recommendations that one user may be paging through.
    package static let recommendationListsPerUser = 4
    /// Posts of a list of recommendations.
    package static let recommendedPosts = 300
    /// Seconds of a video that one can say to have watched.
    package static let watchedSeconds = 0.0...86_400.0

    /// Stops the process where constants of this module contradict each other.
    package static func assertConsistency() {
        precondition(rankingLength <= Trending.scoredPosts, "a ranking must be able to fill up")
        precondition(PostSearch.rankedPosts <= rankingLength, "a search must be able to store its ranking")
        precondition(PostSearch.rankedPosts <= PostSearch.searchedPosts, "of those that are ranked a part is kept")
        precondition(
            TrendReport.topicPosts <= TrendReport.countedPosts, "topics are looked up for a part of what is counted")
        precondition(
            transcriptCues + segmentsPerPost < Segments.cuesInMemory / 2, "the longest transcript must find room")
        precondition(
            freshness * 3 + 15 * Milliseconds.minute <= rankingRetention,
            "a ranking that is handed out late must still be kept for a quarter of an hour")
        precondition(recommendedPosts <= rankingLength, "cursors reach as far as rankings are long")
        precondition(
            SocialGraphLimits.pageSize.upperBound <= CandidateSearch.fewCandidates,
            "a page must be filled as long as there is more")
        precondition(
            2 * TrendWindow.week.hours * EngagementClock.millisecondsPerHour < SocialGraphLimits.engagementRetention,
            "two periods of the longest trend must be kept")
    }
}
