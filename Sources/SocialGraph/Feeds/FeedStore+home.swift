import Database

/// The home timeline straight from the database: for reads below the stored window, for reads without a window, and for
/// building windows.
///
/// Two methods find the same entries, and neither sorts. *Probing* asks each actor's own feed for its newest entries
/// and keeps the best; its cost depends on the number of followees only. *Walking* goes through everybody's posts or
/// reshares, newest first, and checks whether the reader follows each actor; its cost depends on what others publish in
/// between. A walk therefore has a budget, the cost of probing, so that choosing the wrong method first costs at most
/// twice the right one (ski rental: Karlin et al., Algorithmica 1988). Reshares, which are fewer, are walked first.
/// Posts are probed at once for a reader with few followees, and walked first for a reader with many. Everything below
/// the end of a walk is probed.
extension FeedStore {
    /// Candidates that the newest-first walk of a home pull examines before it turns to one probe for each followee.
    package static let homeWalkBudget = 16_384
    /// Rows that a walk examines in the time of one probe for a followee's posts or reshares.
    package static let walkedForProbe = 8
    /// The largest number of followees for which a home pull probes each of them. Above it, the newest posts are walked
    /// first.
    package static let homeProbeFollowees = 48
    /// Followees that a home pull probes in one round trip.
    package static let homeProbesAtOnce = 256
    /// Entries for which a home pull asks each followee beyond twice an even share.
    static let homeProbeReserve = 8

    /// Candidates for the reader's home timeline, strictly below `cursor`: at least `limit` entries unless `end` is the
    /// beginning.
    package func homeSlice(of context: ViewerContext, below cursor: FeedPosition, limit: Int) async throws -> FeedSlice
    {
        let actors = context.actors
        return try await database.read { reader in
            let merged = context.homeTopics.map(FeedSource.topic) + context.homeCommunities.map(FeedSource.community)
            let slices = try Reader(reader).slices(of: merged, below: cursor, limit: limit)
            return FeedSlice.merged([try Reader(reader).actorsSlice(actors, below: cursor, limit: limit)] + slices)
        }
    }
}

/// A query for posts and reshares of a set of actors.
struct ActorsQuestion {
    let actors: ActorSet
    let cursor: FeedPosition
    let limit: Int

    /// True if everybody's posts are walked before the actors are probed.
    fileprivate var walksPosts: Bool { actors.actors.count > FeedStore.homeProbeFollowees }
    fileprivate var budget: Int {
        min(actors.actors.count * FeedStore.walkedForProbe, FeedStore.homeWalkBudget)
    }
}

extension FeedStore.Reader {
    func actorsSlice(_ actors: ActorSet, below cursor: FeedPosition, limit: Int) throws -> FeedSlice {
        try actorsSlices([ActorsQuestion(actors: actors, cursor: cursor, limit: limit)])[0]
    }

    /// The answers to several queries: all walks in one round trip, and all probes in the next ones.
    func actorsSlices(_ questions: [ActorsQuestion]) throws -> [FeedSlice] {
        // A suspended reader who follows nobody has no actors.
        let asked = questions.indices.filter { !questions[$0].actors.actors.isEmpty }
        let walks = try walk(asked.map { questions[$0] })
        var (slices, probes, probed) = ([FeedSlice](repeating: .nothing, count: questions.count), [Probe](), [Int]())
        for (index, walks) in zip(asked, walks) {
            let question = questions[index]
            guard let posts = walks.posts else {
                probes.append(Probe(question, below: question.cursor, limit: question.limit, walks.reshares))
                probed.append(index)
                continue
            }
            slices[index] = FeedSlice.merged([posts, walks.reshares])
            let missing = question.limit - slices[index].entries.count
            if missing <= 0 || slices[index].end == .beginning { continue }
            probes.append(Probe(question, below: slices[index].end, limit: missing, walks.reshares))
            probed.append(index)
        }
        try ask(&probes)
        for (index, probe) in zip(probed, probes) {
            slices[index] = FeedSlice(entries: slices[index].entries + probe.slice.entries, end: probe.slice.end)
        }
        return slices
    }

    /// The newest-first walks over everybody's reshares and, for readers of many, posts.
    private func walk(_ questions: [ActorsQuestion]) throws -> [(reshares: FeedSlice, posts: FeedSlice?)] {
        var (walks, queries) = ([Walk](), [SQLQuery]())
        for question in questions {
            for isOfPosts in question.walksPosts ? [false, true] : [false] {
                walks.append(Walk(question, isOfPosts: isOfPosts))
                queries.append(
                    SQLQuery(
                        isOfPosts ? Self.postsWalkQuery : Self.resharesWalkQuery,
                        [.position(question.cursor), .integer(Int64(question.budget))]))
            }
        }
        try reader.fetch(queries) { index, row in walks[index].take(row) }
        var found = walks.lazy.map(\.slice).makeIterator()
        return questions.map { question in
            (found.next() ?? .nothing, question.walksPosts ? found.next() : nil)
        }
    }

    static let postsWalkQuery =
        "SELECT post_id, author_id FROM author_post WHERE post_id < ?1 ORDER BY post_id DESC LIMIT ?2"
    static let resharesWalkQuery = "SELECT id, user_id, post_id FROM reshare WHERE id < ?1 ORDER BY id DESC LIMIT ?2"

    /// Probes the actors in rounds. A feed is asked for twice its even share of what is wanted, and for more each time
    /// that all it gave are among the best: the threshold of Fagin et al., PODS 2001. PostgreSQL sends all such rows.
    private func ask(_ probes: inout [Probe]) throws {
        var (feeds, shares) = (probes.indices.flatMap { probes[$0].feeds(number: $0) }, 2)
        while !feeds.isEmpty {
            let active = feeds.reduce(into: [Int](repeating: 0, count: probes.count)) { counts, feed in
                if feed.isOfPosts { counts[feed.probe] += 1 }
            }
            for index in feeds.indices {
                feeds[index].missing = probes[feeds[index].probe].entries(shares, of: active[feeds[index].probe])
            }
            let size = 2 * FeedStore.homeProbesAtOnce
            for start in stride(from: 0, to: feeds.count, by: size) {
                let queries = feeds[start..<min(start + size, feeds.count)].map(\.query)
                try reader.fetch(queries) { index, row in
                    let entry = feeds[start + index].take(row)
                    return probes[feeds[start + index].probe].best.offer(entry)
                }
            }
            for number in probes.indices { probes[number].best.cut() }
            shares = min(2 * shares, 1_024)
            feeds.removeAll { $0.missing > 0 || !probes[$0.probe].best.wants($0.cursor) }
        }
    }

    package static let resharesQuery =
        "SELECT id, post_id FROM reshare WHERE user_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3"
}

/// A newest-first walk over everybody's posts or reshares.
private struct Walk {
    let question: ActorsQuestion
    let isOfPosts: Bool
    private var found: [FeedEntry] = []
    private var last: FeedPosition
    private var looked = 0

    init(_ question: ActorsQuestion, isOfPosts: Bool) {
        self.question = question
        self.isOfPosts = isOfPosts
        last = question.cursor
    }

    /// Takes a row; returns whether the walk goes on.
    mutating func take(_ row: any SQLRow) -> Bool {
        looked += 1
        let (position, user) = (FeedPosition(rawValue: row.integer(0)), UserID(rawValue: row.integer(1)))
        last = position
        let isWanted = isOfPosts ? question.actors.contains(user) : question.actors.reshareCounts(of: user)
        if isWanted {
            let post = PostID(rawValue: isOfPosts ? position.rawValue : row.integer(2))
            let entry = FeedEntry(position: position, post: post)
            // Co-authors of one post are neighbours in the walk.
            if found.last != entry { found.append(entry) }
        }
        return found.count < question.limit
    }

    var slice: FeedSlice {
        if found.count == question.limit { return FeedSlice(entries: found, end: last) }
        guard looked == question.budget else { return FeedSlice(entries: found, end: .beginning) }
        // Rows of the last post may lie beyond the budget, so that post is asked for again.
        let isCut = found.last?.position == last
        return FeedSlice(
            entries: isCut ? Array(found.dropLast()) : found, end: FeedPosition(rawValue: last.rawValue + 1))
    }
}

/// A probe for the `limit` newest posts of each actor, and for reshares: those that a walk from the cursor or above it
/// has found, and those below the end of the walk. The result is the best `limit` of all.
private struct Probe {
    let actors: ActorSet
    private let cursor: FeedPosition
    private let limit: Int
    private let walkedTo: FeedPosition
    var best: NewestEntries

    init(_ question: ActorsQuestion, below cursor: FeedPosition, limit: Int, _ walked: FeedSlice) {
        actors = question.actors
        self.cursor = cursor
        self.limit = limit
        walkedTo = walked.end
        best = NewestEntries(capacity: limit)
        for entry in walked.entries where entry.position < cursor { _ = best.offer(entry) }
    }

    func feeds(number: Int) -> [ProbedFeed] {
        if limit <= 0 { return [] }
        let rest = min(cursor, walkedTo)
        return actors.actors.flatMap { actor in
            let posts = ProbedFeed(probe: number, actor: actor, isOfPosts: true, cursor: cursor)
            if walkedTo == .beginning || actors.withoutReshares.contains(actor) { return [posts] }
            return [posts, ProbedFeed(probe: number, actor: actor, isOfPosts: false, cursor: rest)]
        }
    }

    /// The entries to ask each of `count` feeds for: some even shares and the reserve.
    func entries(_ shares: Int, of count: Int) -> Int {
        min(limit, shares * limit / max(1, count) + shares / 2 * FeedStore.homeProbeReserve)
    }

    var slice: FeedSlice {
        limit > 0 ? FeedSlice(best.sorted(), limit: limit) : FeedSlice(entries: [], end: cursor)
    }
}

/// The posts or reshares of an actor in a probe.
private struct ProbedFeed {
    let probe: Int
    let actor: UserID
    let isOfPosts: Bool
    /// The place of the last entry that has come.
    private(set) var cursor: FeedPosition
    /// Entries that were asked for and have not come.
    var missing = 0

    var query: SQLQuery {
        SQLQuery(
            isOfPosts ? FeedStore.Reader.authorFeedQuery : FeedStore.Reader.resharesQuery,
            [.user(actor), .position(cursor), .integer(Int64(missing))])
    }

    mutating func take(_ row: any SQLRow) -> FeedEntry {
        cursor = FeedPosition(rawValue: row.integer(0))
        missing -= 1
        return FeedEntry(position: cursor, post: PostID(rawValue: isOfPosts ? cursor.rawValue : row.integer(1)))
    }
}
