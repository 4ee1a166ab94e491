import Database
import GraphAPI
import SocialGraph
import Timeline

extension JSONWriter {
    /// A page of posts. `reasons`: of each item, in the same order; nil where nobody asked.
    mutating func timeline(_ page: TimelinePage, reasons: [[Reason]]?, pinned: [TimelineItem]? = nil) {
        beginObject()
        if let pinned {
            key("pinned")
            beginArray()
            for item in pinned { post(item.post) }
            endArray()
        }
        key("items")
        beginArray()
        for (index, item) in page.items.enumerated() {
            postMembers(item.post)
            if let reasons {
                key("reasons")
                beginArray()
                for reason in reasons[index] { self.reason(reason) }
                endArray()
            }
            endObject()
        }
        endArray()
        key("nextCursor")
        if let next = page.next { id(next.rawValue) } else { null() }
        endObject()
    }

    package mutating func reason(_ reason: Reason) {
        beginObject()
        key("kind")
        string(reason.kind)
        switch reason {
        case .own, .everybody: break
        case .trending(let window), .businessTrend(let window):
            key("window")
            string(window)
        case .follows(let user, let name), .collaborator(let user, let name), .reshare(let user, let name):
            key("userId")
            id(user.rawValue)
            key("username")
            string(name)
        case .topic(let name):
            key("topic")
            string(name)
        case .community(let community, let name):
            key("communityId")
            id(community.rawValue)
            key("name")
            string(name)
        case .algorithm(let tag):
            key("tag")
            string(tag)
        case .category(let name):
            key("category")
            string(name)
        }
        endObject()
    }

    package mutating func verdict(_ verdict: Verdict) {
        beginObject()
        key("visible")
        bool(verdict.isVisible)
        key("reasons")
        beginArray()
        for ground in verdict.grounds {
            beginObject()
            key("kind")
            string(ground.kind)
            key("text")
            string(ground.text)
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
            key("name")
            string(algorithm.name)
            key("description")
            string(algorithm.description)
            key("inputs")
            beginArray()
            for input in algorithm.inputs { string(input) }
            endArray()
            key("version")
            string(algorithm.version)
            endObject()
        }
        endArray()
        endObject()
    }
}
