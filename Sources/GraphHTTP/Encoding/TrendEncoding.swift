import Discovery
import GraphAPI
import SocialGraph
import Timeline

extension JSONWriter {
    /// A page of a ranked feed. `details`, `reasons` and `businessData` have those of each item, in the same order; nil
    /// if they were not requested.
    package mutating func ranked(
        _ page: RankedPage<TimelineItem>, _ details: [ItemDetails], reasons: [[Reason]]?,
        businessData: [TrendStatistics?]? = nil
    ) {
        beginObject()
        key("items")
        beginArray()
        for (index, item) in page.items.enumerated() {
            postMembers(item.post, details[index])
            if let businessData {
                key("businessData")
                self.businessData(businessData[index])
            }
            if let reasons { self.reasons(reasons[index]) }
            endObject()
        }
        endArray()
        member("nextCursor", page.next?.text)
        endObject()
    }

    /// A post as business accounts see it.
    package mutating func post(
        _ post: PostFragment, _ details: ItemDetails, for viewer: UserID, businessData statistics: TrendStatistics?
    ) {
        postMembers(post, details, for: viewer)
        key("businessData")
        businessData(statistics)
        endObject()
    }

    /// {trendRating, confidenceInterval}, null if there is too little data.
    package mutating func businessData(_ statistics: TrendStatistics?) {
        guard let statistics else { return null() }
        beginObject()
        trend(statistics)
        endObject()
    }

    mutating func topicTrends(_ topics: [TopicTrend]) {
        beginObject()
        key("items")
        beginArray()
        for topic in topics {
            beginObject()
            member("name", topic.name)
            member("kind", topic.kind.rawValue)
            trend(topic.statistics)
            member("engagements", topic.engagements)
            member("posts", topic.posts)
            endObject()
        }
        endArray()
        endObject()
    }

    private mutating func trend(_ statistics: TrendStatistics?) {
        key("trendRating")
        if let statistics { share(statistics.rating) } else { null() }
        member("confidenceInterval", statistics?.confidenceInterval)
    }

    /// A number from 0 to 1 with four decimals.
    private mutating func share(_ value: Double) {
        let parts = Int((value * 10_000).rounded())
        let digits = String(parts % 10_000)
        raw(Array("\(parts / 10_000).\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8))
    }
}
