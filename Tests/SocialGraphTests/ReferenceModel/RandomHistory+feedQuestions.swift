@testable import SocialGraph
@testable import SocialGraphModel
import Database
import Text

/// Queries for home timelines, windows and sources.
extension RandomHistory {
    mutating func askDefinition(_ user: UserID) async throws {
        let floor = chance(1, in: 2) ? .beginning : cursor()
        try expect(
            "home of \(user) by definition from \(floor)",
            try await graph.feeds.homeByDefinition(of: user, from: floor),
            model.home(user).filter { $0.position >= floor })
    }

    /// Checks the slices of a home timeline down to the beginning.
    mutating func askHomeSlice(_ user: UserID) async throws {
        let context = try await graph.feeds.viewerContext(of: user)
        let proposals = model.proposals(user)
        var cursor = cursor()
        let start = cursor
        var all: [FeedEntry] = []
        repeat {
            let limit = proposals.count > 300 ? 100 : limit()
            let slice = try await graph.feeds.homeSlice(of: context, below: cursor, limit: limit)
            let fault = slice.fault(below: cursor, limit: limit, of: proposals)
            try expect("home slice of \(user) below \(cursor), \(limit)", fault, nil)
            all += slice.entries
            cursor = slice.end
        } while cursor != .beginning
        let missed = Set(model.home(user).filter { $0.position < start }).subtracting(all)
        try expect("missed by the home slices of \(user) below \(start)", missed, [])
    }

    /// Checks a timeline filtered by some topics, like ``askHomeSlice(_:)``.
    mutating func askFilteredSlice(_ user: UserID) async throws {
        let context = try await graph.feeds.viewerContext(of: user)
        let names = (0..<Int.random(in: 1...3, using: &random)).map { _ in someTopic() }
        let kind = chance(1, in: 2) ? TopicKind.category : .tag
        let topics = try await Array(Set(graph.topics.topics(kind, named: names).compactMap(\.self)))
        let folded = Set(names.map { $0.lowercased() })
        let matching = Set(
            model.posts.filter { post in
                let own = kind == .tag ? post.tags : [post.category].compactMap(\.self)
                return own.contains { folded.contains($0.lowercased()) }
            }.map(\.id))
        let live = Set(model.posts.map(\.id))
        let proposals = model.proposals(user).filter { matching.contains($0.post) }
        var cursor = FeedPosition.end
        repeat {
            let budget = Int.random(in: 1...200, using: &random)
            let slice = try await graph.feeds.filteredSlice(of: context, topics: topics, below: cursor, budget: budget)
            // The reshares of a deleted post stay until they are purged.
            let known = FeedSlice(entries: slice.entries.filter { live.contains($0.post) }, end: slice.end)
            let fault = known.fault(below: cursor, limit: 0, of: proposals)
            try expect("\(names) in the home of \(user) below \(cursor), \(budget)", fault, nil)
            cursor = slice.end
        } while cursor != .beginning
    }

    mutating func askWindowEntries(_ user: UserID) async throws {
        let limit = limit()
        try expect(
            "window of \(user), \(limit)", try await graph.feeds.windowEntries(of: user, limit: limit),
            Array(model.window(user).prefix(limit)))
    }

    mutating func askWindowPositions() async throws {
        let post = somePost()
        let viewers = try (0..<5).map { _ in try user() }
        let expected = viewers.map { viewer in model.window(viewer).first { $0.post == post }?.position }
        try expect(
            "place of \(post) in the windows of \(viewers)",
            try await graph.feeds.windowPositions(of: post, for: viewers), expected)
    }

    /// Checks the definition of a window that has some posts, at correct or wrong positions.
    mutating func askWindowDefinition(_ user: UserID) async throws {
        let floor = chance(1, in: 2) ? .beginning : cursor()
        var (held, expected): ([FeedEntry], [ExpectedWindowEntry]) = ([], [])
        let reader = ReferenceGraph.WindowReader(user, model)
        for post in model.posts {
            var truth = ExpectedWindowEntry(post: post.id)
            let places = model.windowPlaces(reader, post)
            for place in places { truth.add(place.position, pulled: place.isPulled) }
            let isHeld = chance(1, in: 8)
            if isHeld {
                let place = places.randomElement(using: &random)?.position ?? cursor()
                held.append(FeedEntry(position: place, post: post.id))
            }
            if isHeld && !places.isEmpty || places.contains(where: { !$0.isPulled && $0.position >= floor }) {
                expected.append(truth)
            }
        }
        expected.reverse()
        let truths = try await graph.feeds.windowByDefinition(of: user, from: floor, holding: held)
        let what = "window of \(user) by definition from \(floor)"
        try expect(what, truths.map(\.post), expected.map(\.post))
        try expect("\(what): first places", truths.map(\.first), expected.map(\.first))
        try expect("\(what): first that is pushed", truths.map(\.pushed), expected.map(\.pushed))
        try expect(
            "\(what): places", zip(truths, expected).map { $0.places.isSubset(of: $1.places) }, truths.map { _ in true }
        )
        let heldPlaces = Dictionary(uniqueKeysWithValues: held.map { ($0.post, $0.position) })
        func stand(_ truths: [ExpectedWindowEntry]) -> [PostID] {
            truths.filter { heldPlaces[$0.post].map($0.places.contains) ?? false }.map(\.post)
        }
        try expect("\(what): entries in their place", stand(truths), stand(expected))
    }

    mutating func askSource(_ user: UserID) async throws {
        let (cursor, limit) = (cursor(), limit())
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1:
            try await ask(.actor(user), model.entries(of: .actor(user)), cursor, limit)
        case 2:
            try await ask(.everything, model.entries(of: .everything), cursor, limit)
        case 3:
            let community = someCommunity()
            try await ask(.community(community), model.entries(of: .community(community)), cursor, limit)
        case 4:
            let (name, kind) = (someTopic(), chance(1, in: 2) ? TopicKind.category : .tag)
            guard let topic = try await graph.topics.topics(kind, named: [name])[0] else { return }
            let entries = model.entries(of: .topic(topic), topic: name.lowercased(), kind: kind)
            try await ask(.topic(topic), entries, cursor, limit)
        case 5:
            let source = FeedSource.attribute(name: "cuisineType", key: NameFolding.key(someTopic()))
            try await ask(source, model.entries(of: source), cursor, limit)
            let any = FeedSource.attributed(name: "cuisineType")
            try await ask(any, model.entries(of: any), cursor, limit)
        default:
            guard !model.suspended.contains(user) else { return }
            let own = model.entries(of: .actor(user)).randomElement(using: &random)
            let place = own?.position ?? cursor
            try expect(
                "author feed of \(user)",
                try await graph.feeds.authorFeed(of: user, below: place, limit: limit),
                model.authorFeed(user, below: place, limit: limit))
        }
    }

    private func ask(
        _ source: FeedSource, _ entries: [FeedEntry], _ cursor: FeedPosition, _ limit: Int
    ) async throws {
        let slice = try await graph.feeds.slice(of: source, below: cursor, limit: limit)
        try expect("\(source)", slice.fault(below: cursor, limit: limit, of: entries), nil)
        try expect("\(source): within \(limit) entries", slice.entries.count <= limit, true)
        let together = try await graph.feeds.slices(
            of: [source, .actor(UserID(rawValue: 3))], below: cursor, limit: limit)
        try expect("\(source) among others", together, [slice, .nothing])
    }
}

extension FeedSlice {
    /// Returns the fault of this answer to `limit` entries below `cursor` of a source with the entries `all`, newest
    /// first; nil if it is right.
    func fault(below cursor: FeedPosition, limit: Int, of all: [FeedEntry]) -> String? {
        let rest = all.filter { $0.position < cursor }
        let honest = rest.filter { $0.position >= end }
        if entries != honest { return "\(entries) to \(end) is not \(honest)" }
        if end != .beginning, entries.count < limit { return "\(entries.count) entries only, with end \(end)" }
        return end < cursor ? nil : "does not go on"
    }
}
