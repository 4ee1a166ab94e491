extension WindowStateMachine {
    enum Act: CaseIterable {
        case publish, delete, reshare, unreshare, follow, importFollow, importPost, mutePosts, muteReshares
        case collaborate, switchHub
    }

    /// Performs one random acknowledged write, of the kinds that this run prefers.
    mutating func commit() {
        guard graph.hasRoom, let act = preferences.isEmpty ? nil : preferences[roll(preferences.count)] else { return }
        let (one, other) = (roll(Self.users), roll(Self.users))
        switch act {
        case .publish: publish(one, other)
        case .delete: delete()
        case .reshare: reshare(one)
        case .unreshare: unreshare()
        case .follow where one != other:
            if graph.follows(one, other) { graph.unfollow(one, other) } else { graph.follow(one, other) }
            enqueue(.rebuild(one), writer: one)
        case .importFollow where one != other && !graph.follows(one, other):
            graph.follow(one, other)
            enqueue(.evict(one))
        // Rarely, because little happens if all windows are rebuilt again and again.
        case .importPost where roll(8) == 0:
            _ = graph.publish(by: one, with: nil)
            enqueue(.evictAll)
        case .mutePosts where one != other: graph.toggleMuteOfPosts(one, other)
        case .muteReshares where one != other:
            graph.toggleMuteOfReshares(one, other)
            enqueue(.rebuild(one), writer: one)
        case .collaborate: collaborate(one)
        case .switchHub: switchHub(roll(2))
        default: break
        }
    }

    /// Swarm testing (Groce et al., ISSTA 2012): every run leaves out some kinds of act and prefers others, so that
    /// schedules with many acts of one kind become likely.
    mutating func choosePreferences(_ focus: [Act]) {
        preferences = focus
        if focus.isEmpty {
            for act in Act.allCases { preferences += Array(repeating: act, count: [0, 1, 1, 4][roll(4)]) }
            preferences += [.publish, .publish, .follow]
        }
        faultRate = [0, 1, 4][roll(3)]
        holdsBack = roll(2) == 0
        foldCapacity = [0, 1, 3, 3][roll(4)]
        for one in 0..<Self.users {
            for other in 0..<Self.users where one != other && roll(2) == 0 { graph.follow(one, other) }
        }
    }

    private mutating func publish(_ author: Int, _ other: Int) {
        let collaborator = author != other && roll(4) == 0 ? other : nil
        enqueue(.push(graph.publish(by: author, with: collaborator)), writer: author)
    }

    private mutating func anyPost() -> Int? {
        let posts = graph.live.newestFirst.prefix(8)
        return posts.isEmpty ? nil : posts[roll(posts.count)]
    }

    private mutating func delete() {
        guard let post = anyPost() else { return }
        graph.delete(post)
        enqueue(.remove(post))
    }

    private mutating func reshare(_ user: Int) {
        guard let post = anyPost(), graph.reshare(of: post, by: user) == nil else { return }
        let entry = ModelEntry(place: graph.reshare(post, by: user), post: post)
        enqueue(.addReason(entry, by: user), writer: user)
    }

    private mutating func unreshare() {
        let reshares = graph.reshares.filter { graph.live.contains($0.post) }
        guard !reshares.isEmpty else { return }
        let reshare = reshares[roll(reshares.count)]
        graph.unreshare(reshare.place)
        let entry = ModelEntry(place: reshare.place, post: reshare.post)
        enqueue(.removeReason(entry, by: reshare.user), writer: reshare.user)
    }

    /// Adds a user to an older post's authors, or removes one.
    private mutating func collaborate(_ user: Int) {
        guard let post = anyPost(), graph.authors[post].first != user else { return }
        let entry = ModelEntry(place: post, post: post)
        if graph.authors[post].contains(user) {
            graph.leave(user, post)
            enqueue(.removeReason(entry, by: user), writer: user)
        } else {
            graph.accept(user, post)
            enqueue(.addReason(entry, by: user), writer: user)
        }
    }

    private mutating func switchHub(_ user: Int) {
        if graph.hubs[user]?.isPulledOnly == true {
            enqueue(.backfill(user, since: graph.switchHub(user, isPulledOnly: false)))
        } else {
            _ = graph.switchHub(user, isPulledOnly: true)
        }
    }
}
