import Database
import SocialGraph

/// Limits of this module that clients of the API meet. Constants that tune an algorithm are declared in its type;
/// ``assertConsistency()`` relates the two.
package enum DiscoveryLimits {
    /// Age, in milliseconds, at which rankings and trends are recomputed on request.
    package static let freshness = 60 * Milliseconds.second
    /// Largest number of posts in a stored ranking.
    package static let rankingLength = 100_000
    /// Retention of a stored ranking, in milliseconds.
    package static let rankingRetention = 20 * Milliseconds.minute
    /// Largest number of topics of each kind in a list of trends.
    package static let listedTopics = 100
    /// Fewest engagements for a rating.
    package static let ratedEngagements: Int64 = 20
    /// Fewest effective posts for the rating of a topic: posts counted by the evenness of their engagement.
    package static let ratedPosts = 10.0
    /// Largest number of segments of a video.
    package static let segmentsPerPost = 200
    /// Longest label of a segment, in Unicode scalars.
    package static let segmentLabelLength = 100
    /// Longest video, in milliseconds.
    package static let videoLength = 100 * 60 * Milliseconds.minute
    /// Largest number of cues in a transcript.
    package static let transcriptCues = 20_000
    /// Longest text of a cue without its markup, in bytes.
    package static let cueBytes = 100_000
    /// Longest command that jumps to a part of a video, in Unicode scalars.
    package static let commandLength = 300
    /// Number of components of an embedding.
    package static let embeddingDimensions = 1...4_096
    /// Largest magnitude of a component of an embedding.
    package static let embeddingComponent = 1e6
    /// Age, in milliseconds, at which a list of recommendations is remade. A list is also remade after an act of its
    /// user.
    package static let recommendationFreshness = 5 * Milliseconds.second
    /// Lists of recommendations kept for one user to page through.
    package static let recommendationListsPerUser = 4
    /// Largest number of posts in a list of recommendations.
    package static let recommendedPosts = 300
    /// Seconds of a video that a watch event may report.
    package static let watchedSeconds = 0.0...86_400.0

    /// Stops the process if constants of this module contradict each other.
    package static func assertConsistency() {
        precondition(rankingLength <= Trending.scoredPosts, "a ranking must be able to fill up")
        precondition(PostSearch.rankedPosts <= rankingLength, "a search must be able to store its ranking")
        precondition(PostSearch.rankedPosts <= PostSearch.searchedPosts, "of those that are ranked a part is kept")
        precondition(
            TrendReport.topicPosts <= TrendReport.countedPosts, "topics are looked up for a part of what is counted")
        precondition(
            (transcriptCues + segmentsPerPost) * SegmentIndex.usualCueBytes
                <= SegmentIndexCache.largestEntry(of: Segments.indexBytes),
            "the longest transcript must find room")
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
