import Database
import Discovery
import GraphAPI
import SocialGraph
import Timeline

extension JSONWriter {
    package mutating func recommendations(
        _ page: RankedPage<RecommendedItem<TimelineItem>>, _ details: [ItemDetails], isExplained: Bool
    ) {
        beginObject()
        key("items")
        beginArray()
        for (recommended, details) in zip(page.items, details) {
            postMembers(recommended.item.post, details)
            member("score", recommended.recommendation.score)
            if isExplained {
                key("reasons")
                beginArray()
                for reason in recommended.recommendation.reasons { self.reason(reason) }
                endArray()
            }
            endObject()
        }
        endArray()
        member("nextCursor", page.next?.text)
        endObject()
    }

    /// {type, text} and the subject of the reason.
    private mutating func reason(_ reason: RecommendationReason) {
        beginObject()
        member("type", reason.kind.rawValue)
        if let post = reason.post {
            member("postId", id: post.rawValue)
        }
        if let user = reason.user {
            member("userId", id: user.rawValue)
        }
        if let value = reason.value {
            member("value", value)
        }
        member("text", reason.text)
        endObject()
    }

    /// A watch in its user's export.
    mutating func watch(_ watch: Watch) {
        beginObject()
        member("postId", id: watch.post.rawValue)
        member("seconds", watch.seconds)
        member("completed", watch.isCompleted)
        member("watchedAt", time: IDSequence.milliseconds(of: watch.id))
        endObject()
    }
}
