/// An algorithm that decides about a feed, described for the people whose feed it is.
package struct CuratingAlgorithm: Sendable {
    package let name: String
    package let description: String
    /// The inputs that it considers.
    package let inputs: [String]
    /// Grows when the outcome for the same inputs changes.
    package let version: String

    /// Every algorithm that curates a feed of this server. Nothing outside this list curates a feed.
    package static let all: [CuratingAlgorithm] = [
        CuratingAlgorithm(
            name: "home-chronological",
            description: """
                Your home timeline: every post that you may see and that is yours, by an author or accepted \
                collaborator whom you follow, in a topic you follow, in a community you have joined, or reshared by \
                you or by a user you follow. Each post appears once, newest first. Nothing is ranked, omitted or \
                inserted.
                """,
            inputs: ["follows", "collaborators", "reshares", "followed topics", "joined communities", "home switches"],
            version: "1"),
        CuratingAlgorithm(
            name: "first-reason",
            description: """
                The position of a post in your home timeline: its own time if you follow its author or topic or \
                have joined its community, otherwise the time of the earliest reshare by you or by a user you \
                follow.
                """,
            inputs: ["post time", "reshare times"], version: "1"),
        CuratingAlgorithm(
            name: "visibility",
            description: """
                Posts that you never see: posts by an author who has blocked you, or whom you have blocked or \
                muted; posts for followers, and posts of private accounts outside communities, unless you follow an \
                author; posts in private communities that you have not joined and in communities that have banned \
                you; posts that moderators have removed or hold for review; posts by suspended users, and by silenced \
                users unless you follow them; posts by others that contain a word that you have muted. A reshare by a \
                user who is suspended, or whose reshares you have muted, does not count.
                """,
            inputs: [
                "blocks", "mutes", "muted words", "post visibility", "private accounts", "community membership",
                "moderation",
            ], version: "3"),
        CuratingAlgorithm(
            name: "category-filter",
            description: "The posts of a timeline that have the requested category; letter case is ignored.",
            inputs: ["post category", "requested category"], version: "1"),
        CuratingAlgorithm(
            name: "algorithm-filter",
            description: """
                The posts of a timeline that have at least one of the requested algorithm tags, or of those selected \
                in your profile; letter case is ignored.
                """,
            inputs: ["post algorithm tags", "requested tags", "selected algorithms"], version: "1"),
        CuratingAlgorithm(
            name: "attribute-filter",
            description: """
                The posts of a timeline whose attributes meet all requested conditions: an equal text or list entry, \
                letter case ignored; a number within a range; true or false.
                """,
            inputs: ["post attributes", "requested attributes"], version: "1"),
        CuratingAlgorithm(
            name: "public-chronological",
            description: "All public posts that you may see, newest first.",
            inputs: ["post visibility", "blocks", "mutes"], version: "1"),
        CuratingAlgorithm(
            name: "community-chronological",
            description: "The posts of a community, newest first; pinned posts are listed before them.",
            inputs: ["community posts", "pins", "moderation"], version: "1"),
        CuratingAlgorithm(
            name: "trending",
            description: """
                All public posts that you may see and that had likes, comments or shares within the requested window: \
                the last hour, 24 hours or 7 days. For each user, a like counts 1, a comment 2 and a share 3, each at \
                most once; the value halves with every quarter of the window. Posts are listed by score, highest \
                first, then newest first. The order is computed at most once a minute and stays the same while you \
                page through it. It does not depend on who you are.
                """,
            inputs: ["likes", "comments", "shares", "times of those"], version: "1"),
        CuratingAlgorithm(
            name: "business-trends",
            description: """
                For business accounts: the share of engagement in the last 7 days (or 24 hours) out of that and the \
                preceding period together. The rating is a number from 0 to 1, where 0.5 is steady, with a 95 % \
                confidence interval. Posts are rated by their likes, tags and categories by the likes, comments and \
                shares of their public posts; too little engagement gives no rating. Results are listed by the lower \
                bound of the interval, highest first, so that chance does not put small ones on top.
                """,
            inputs: ["likes", "comments", "shares", "times of those", "post topics", "business account"], version: "1"),
        CuratingAlgorithm(
            name: "for-you",
            description: """
                Public posts that you may see and have not seen, ordered by a score from 0 to 1. The score rises with \
                posts that other users liked, saved, shared, commented or watched along with those of your recent \
                activity, with similar posts, authors whom you follow or like, your preferences, popularity and \
                novelty. A post against your preferences loses up to seven tenths. Each further post by an author \
                counts less, and each further post of a category a little less. Every tenth place goes to a random \
                little-known post of the last week. Seen posts are your own, those that you liked, saved or shared, \
                and those of which you watched at least half.
                """,
            inputs: [
                "likes", "saves", "comments", "shares", "watches", "follows", "preferences", "post topics",
                "post attributes", "post time",
            ], version: "1"),
    ]
}
