import Database
import GraphAPI
import GraphServices
import SocialGraph
import Timeline

extension JSONWriter {
    /// A page of posts. `details` and `reasons` have those of each item, in the same order; no reasons if they were not
    /// requested.
    mutating func timeline(
        _ page: TimelinePage, _ details: [ItemDetails], reasons: [[Reason]]?,
        pinned: [(TimelineItem, ItemDetails)]? = nil
    ) {
        beginObject()
        if let pinned {
            member("pinned", listing: pinned) { $0.post($1.0.post, $1.1) }
        }
        key("items")
        beginArray()
        for (index, item) in page.items.enumerated() {
            postMembers(item.post, details[index])
            if let reasons { self.reasons(reasons[index]) }
            endObject()
        }
        endArray()
        member("nextCursor", id: page.next?.rawValue)
        endObject()
    }

    /// The member "reasons" of an item.
    mutating func reasons(_ reasons: [Reason]) {
        key("reasons")
        beginArray()
        for reason in reasons { self.reason(reason) }
        endArray()
    }

    package mutating func reason(_ reason: Reason) {
        beginObject()
        member("kind", reason.kind)
        switch reason {
        case .own, .everybody: break
        case .trending(let window), .businessTrend(let window):
            member("window", window)
        case .follows(let user, let name), .collaborator(let user, let name), .reshare(let user, let name):
            member("userId", id: user.rawValue)
            member("username", name)
        case .topic(let name):
            member("topic", name)
        case .community(let community, let name):
            member("communityId", id: community.rawValue)
            member("name", name)
        case .algorithm(let tag):
            member("tag", tag)
        case .category(let name):
            member("category", name)
        }
        endObject()
    }

    package mutating func verdict(_ verdict: Verdict) {
        beginObject()
        member("visible", verdict.isVisible)
        key("reasons")
        beginArray()
        for ground in verdict.grounds {
            beginObject()
            member("kind", ground.kind)
            member("text", ground.text)
            endObject()
        }
        endArray()
        endObject()
    }

    package mutating func algorithms(_ algorithms: [CuratingAlgorithm]) {
        beginObject()
        key("algorithms")
        beginArray()
        for algorithm in algorithms {
            beginObject()
            member("name", algorithm.name)
            member("description", algorithm.description)
            member("inputs", listing: algorithm.inputs) { $0.string($1) }
            member("version", algorithm.version)
            endObject()
        }
        endArray()
        endObject()
    }
}
