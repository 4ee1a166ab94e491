import Database
import Discovery
import GraphAPI
import SocialGraph
import Timeline

extension JSONWriter {
    package mutating func recommendations(_ page: RankedPage<RecommendedItem<TimelineItem>>, isExplained: Bool) {
        beginObject()
        key("items")
        beginArray()
        for recommended in page.items {
            postMembers(recommended.item.post)
            key("score")
            number(recommended.recommendation.score)
            if isExplained {
                key("reasons")
                beginArray()
                for reason in recommended.recommendation.reasons { self.reason(reason) }
                endArray()
            }
            endObject()
        }
        endArray()
        key("nextCursor")
        string(page.next?.text)
        endObject()
    }

    /// {type, text} and what the reason names.
    private mutating func reason(_ reason: RecommendationReason) {
        beginObject()
        key("type")
        string(reason.kind.rawValue)
        if let post = reason.post {
            key("postId")
            id(post.rawValue)
        }
        if let user = reason.user {
            key("userId")
            id(user.rawValue)
        }
        if let value = reason.value {
            key("value")
            string(value)
        }
        key("text")
        string(reason.text)
        endObject()
    }

    /// A watch in its user's export.
    mutating func watch(_ watch: Watch) {
        beginObject()
        key("postId")
        id(watch.post.rawValue)
        key("seconds")
        number(watch.seconds)
        key("completed")
        bool(watch.isCompleted)
        key("watchedAt")
        timestamp(milliseconds: IDSequence.milliseconds(of: watch.id))
        endObject()
    }
}
