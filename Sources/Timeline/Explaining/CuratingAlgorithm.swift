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
                Your home timeline: every post that you may see and that is yours, by somebody you follow, by an \
                accepted collaborator whom you follow, in a topic you follow, in a community you have joined, or \
                reshared by you or by somebody you follow. Each post once, newest first. Nothing is ranked, left \
                out or put in.
                """,
            inputs: ["follows", "collaborators", "reshares", "followed topics", "joined communities", "home switches"],
            version: "1"),
        CuratingAlgorithm(
            name: "first-reason",
            description: """
                Where a post stands in your home timeline: at its own time if you reach it by author, topic or \
                community, else at the time of the earliest reshare by you or by somebody you follow.
                """,
            inputs: ["post time", "reshare times"], version: "1"),
        CuratingAlgorithm(
            name: "visibility",
            description: """
                What you never see: posts of an author whom you have blocked, or who has blocked you; of an author \
                whose posts you have muted; posts for followers of authors whom you do not follow; posts of \
                private communities that you are not in and of communities that you are banned from; posts that \
                moderators have removed, or that wait for them; posts of the suspended, and of the silenced unless \
                you follow them. A reshare by somebody whose reshares you have muted, or who is suspended, does not \
                count.
                """,
            inputs: ["blocks", "mutes", "post visibility", "community membership", "moderation"], version: "2"),
        CuratingAlgorithm(
            name: "category-filter",
            description: "Of a timeline, the posts whose category is the one you asked for; letter case is ignored.",
            inputs: ["post category", "requested category"], version: "1"),
        CuratingAlgorithm(
            name: "algorithm-filter",
            description: """
                Of a timeline, the posts that carry at least one of the algorithm tags you asked for, or of those \
                that you have selected in your profile; letter case is ignored.
                """,
            inputs: ["post algorithm tags", "requested tags", "selected algorithms"], version: "1"),
        CuratingAlgorithm(
            name: "attribute-filter",
            description: """
                Of a timeline, the posts whose attributes are what you asked for: a text, or an entry of a list, in \
                any letter case; a number within a range; true or false. All conditions must hold.
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
                All public posts that you may see and that got likes, comments or shares within the last hour, 24 \
                hours or 7 days, as you ask. Who likes a post counts 1, who comments 2, who shares it 3, each person \
                once for each; and half as much after every quarter of that time. Most first; of equal ones the newer \
                post. The order is worked out at most once a minute and stays the same while you page through it. Who \
                you are plays no part in it.
                """,
            inputs: ["likes", "comments", "shares", "times of those"], version: "1"),
        CuratingAlgorithm(
            name: "business-trends",
            description: """
                For business accounts: how much of the engagement of the last 7 days (or 24 hours) and of those \
                before came in the later ones, as a number from 0 to 1 of which 0.5 is steady, with a 95 % confidence \
                interval; of posts by their likes, of tags and categories by the likes, comments and shares of their \
                public posts. What has too little engagement has no rating. Listed by the lower bound of the \
                interval, highest first, so that chance does not put the small ones on top.
                """,
            inputs: ["likes", "comments", "shares", "times of those", "post topics", "business account"], version: "1"),
        CuratingAlgorithm(
            name: "for-you",
            description: """
                Public posts that you may see and have not seen, by a score from 0 to 1: what others liked, saved, \
                shared, commented or watched together with what you did of late, what is about the same, what is \
                by people whom you follow or like, what meets your preferences, what is popular and what is new. A \
                post that goes against your preferences loses up to seven tenths. Each further post of an author \
                counts less, and each further one of a category a little less. Every tenth place goes to a post of \
                the last week that nobody knows yet, drawn at random. You have seen what is yours, what you liked, \
                saved or shared, and what you watched by half.
                """,
            inputs: [
                "likes", "saves", "comments", "shares", "watches", "follows", "preferences", "post topics",
                "post attributes", "post time",
            ], version: "1"),
    ]
}
