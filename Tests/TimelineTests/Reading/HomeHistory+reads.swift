import SocialGraph

@testable import Timeline

extension HomeHistory {
    mutating func read(_ act: Act, _ viewer: UserID) async throws {
        switch act {
        case .page: try await readHome(viewer, FeedTruth.Condition(), isWalk: false)
        case .walk: try await readHome(viewer, FeedTruth.Condition(), isWalk: true)
        case .filtered: try await readFiltered(viewer)
        case .everything:
            let condition = someCondition()
            let filter = try await self.filter(condition)
            let truth = try await truth.everything(for: viewer, condition)
            let (cursor, limit) = (somePlace(), Int.random(in: 1...30, using: &random))
            let page = try await harness.request().feeds.everything(
                for: viewer, below: cursor, limit: limit, filter: filter)
            judge(page, truth, below: cursor, limit, lacking: [], "public feed for \(viewer), \(condition)")
        case .community:
            guard let community = communities.randomElement(using: &random) else { return }
            let condition = chance(2) ? FeedTruth.Condition() : someCondition()
            let filter = try await self.filter(condition)
            let truth = try await truth.community(community, for: viewer, condition)
            let (cursor, limit) = (somePlace(), Int.random(in: 1...30, using: &random))
            let page = try await harness.request().feeds.community(
                community, for: viewer, below: cursor, limit: limit, filter: filter)
            judge(page, truth, below: cursor, limit, lacking: [], "\(community) for \(viewer), \(condition)")
        default: try await why(viewer)
        }
    }

    /// Often reads an earlier filter, and often reads again after its window has been built, with an act in between
    /// that may bring older posts.
    private mutating func readFiltered(_ viewer: UserID) async throws {
        let earlier = chance(2) ? filters.suffix(8).randomElement(using: &random) : nil
        let (viewer, condition) = earlier ?? (viewer, someCondition())
        filters.append((viewer, condition))
        try await readHome(viewer, condition, isWalk: chance(3))
        guard isRedisUp, chance(2) else { return }
        // Not for synchronisation: the pause between two polls.
        while harness.pendingFilters > 0 { try await Task.sleep(for: .milliseconds(1)) }
        try await readHome(viewer, condition, isWalk: chance(2))
        for _ in 0..<2 {
            let late: [Act] = [
                .follow, .unfollow, .unmute, .unblock, .unreshare, .accept, .leavePost, .removeCollaborator, .takeDown,
                .remove, .followTopic, .switches, .join, .communitySwitch, .role, .importFollows,
                .suspend, .silence, .hold,
            ]
            if let act = late.randomElement(using: &random) { try await perform(act, by: viewer) }
            try await readHome(viewer, condition, isWalk: true)
        }
    }

    private mutating func someCondition() -> FeedTruth.Condition {
        var condition = FeedTruth.Condition()
        if chance(3) { condition.category = someTag() }
        if condition.category == nil || chance(2) { condition.tags = chance(2) ? [someTag()] : [someTag(), someTag()] }
        return condition
    }

    private mutating func somePlace() -> FeedPosition? {
        chance(3) ? nil : posts.randomElement(using: &random).map { FeedPosition($0) }
    }

    private func filter(_ condition: FeedTruth.Condition) async throws -> FeedFilter {
        try await harness.request().filters.filter(category: condition.category, algorithms: condition.tags).filter
    }

    private mutating func readHome(_ viewer: UserID, _ condition: FeedTruth.Condition, isWalk: Bool) async throws {
        let filter = try await self.filter(condition)
        let limit = Int.random(in: 1...30, using: &random)
        let lacking = try await lacking(viewer)
        var cursor = isWalk ? nil : somePlace()
        let truth = try await truth.home(of: viewer, condition)
        repeat {
            let page = try await harness.page(of: viewer, below: cursor, limit: limit, filter: filter)
            judge(page, truth, below: cursor, limit, lacking: lacking, "home of \(viewer), \(condition)")
            try await judgeCounts(page)
            cursor = page.next
        } while isWalk && cursor != nil && problems.isEmpty
    }

    /// Counts on a page must match the rows at the moment of reading.
    private mutating func judgeCounts(_ page: TimelinePage) async throws {
        for item in page.items {
            let rows = try await graph.countedRows(of: item.post.id)
            guard item.post.counts != rows else { continue }
            fail("\(item.post.id) shows \(item.post.counts), its rows are \(rows)")
        }
    }

    /// The posts by others that a read may still lack; nil for any, because an import is in progress.
    private func lacking(_ viewer: UserID) async throws -> Set<PostID>? {
        var posts: Set<PostID> = []
        for job in try await harness.graph.outbox.outboxJobs(above: nil, limit: 100_000) {
            switch job.work {
            case .push(let post, let author) where author != viewer || imported.contains(post): posts.insert(post)
            case .addReason(let entry, let actor) where actor != viewer: posts.insert(entry.post)
            case .removeReason(let entry, let actor) where actor != viewer: posts.insert(entry.post)
            case .evict(let viewers) where viewers.contains(viewer): return nil
            case .evictAll: return nil
            default: break
            }
        }
        return posts
    }

    private mutating func judge(
        _ page: TimelinePage, _ truth: [FeedEntry], below cursor: FeedPosition?, _ limit: Int,
        lacking: Set<PostID>?, _ what: String
    ) {
        let shown = page.items.map { FeedEntry(position: $0.position, post: $0.post.id) }
        let what = "\(what) below \(cursor?.rawValue ?? 0) limit \(limit)"
        if page.next != nil, shown.count != limit || page.next != shown.last?.position {
            fail("\(what): next of \(shown.count) items")
        }
        if zip(shown, shown.dropFirst()).contains(where: { $0.position <= $1.position }) {
            fail("\(what): not descending")
        }
        // Without `next`, the page covers everything below the cursor.
        let span = truth.filter { entry in
            entry.position < cursor ?? .end && entry.position >= page.next ?? .beginning
        }
        var wrong = Set(shown).subtracting(span)
        if lacking == nil {
            // A follow that this process has not seen yet may have given a post an earlier position.
            let posts = Set(truth.map(\.post))
            wrong = wrong.filter { !posts.contains($0.post) }
        }
        if !wrong.isEmpty { fail("\(what): shows \(wrong)") }
        guard let lacking else { return }
        let missing = Set(span).subtracting(shown).filter { !lacking.contains($0.post) }
        if !missing.isEmpty { fail("\(what): misses \(missing) of \(span.count)") }
    }

    /// Checks that the explanation agrees with the page.
    private mutating func why(_ viewer: UserID) async throws {
        // This process may not have seen an import that is in progress.
        guard try await lacking(viewer) != nil,
            let post = posts.suffix(60).randomElement(using: &random)
        else { return }
        let verdict = try await harness.request().explainer.why(post, for: viewer)
        let entry = try await truth.home(of: viewer).first { $0.post == post }
        let isLate = verdict.grounds.map(\.kind) == ["not_yet_delivered"]
        if verdict.grounds.isEmpty { fail("why \(post) for \(viewer): no reason") }
        if verdict.isVisible != (entry != nil), !(isLate && entry != nil) {
            fail("why \(post) for \(viewer): \(verdict), in truth \(String(describing: entry))")
        }
        guard let entry, verdict.isVisible, let fragment = try await harness.request().posts.post(post, for: viewer)
        else {
            return
        }
        let item = TimelineItem(post: fragment, position: entry.position)
        let reasons = try await harness.request().explainer.reasons(for: [item], of: viewer, in: .home, filter: .none)
        if reasons[0].isEmpty { fail("\(post) is shown to \(viewer) for no reason") }
    }
}
