/// A small model of SQLite's content. A copy of it is a snapshot. Sets of users are bit masks.
struct ModelGraph {
    struct Follow: Equatable {
        let follower: Int
        let followee: Int
        let number: Int
    }

    struct Reshare: Equatable {
        let place: Int
        let user: Int
        let post: Int
    }

    struct Hub: Equatable {
        /// If false, the hub is pushed again, and pulled until every window has the posts that were not pushed.
        var isPulledOnly: Bool
        var since: Int
    }

    static let users = 4
    static let lastNumber = 63

    /// Follows, oldest first.
    private(set) var follows: [Follow] = []
    /// Reshares in the order of their places.
    private(set) var reshares: [Reshare] = []
    private(set) var hubs = [Hub?](repeating: nil, count: users)
    private(set) var live = PlaceSet()
    /// The post at each number as a place, or 0.
    private(set) var posts = [0]
    /// The authors of each live post, the publisher first; empty for all others.
    private(set) var authors: [[Int]] = [[]]
    private var followees = [UInt8](repeating: 0, count: users)
    private var mutedPosts = [UInt8](repeating: 0, count: users)
    private var mutedReshares = [UInt8](repeating: 0, count: users)
    /// Derived after every change: the entries that each reader is shown, and those that each window holds.
    private var homes = [PlaceSet](repeating: PlaceSet(), count: users)
    private var windows = [PlaceSet](repeating: PlaceSet(), count: users)
    private var pulled = [PlaceSet](repeating: PlaceSet(), count: users)

    /// True if numbers are left for a few more acts.
    var hasRoom: Bool { posts.count + 2 < Self.lastNumber }

    func entry(_ place: Int) -> ModelEntry { ModelEntry(place: place, post: posts[place]) }
    func follows(_ follower: Int, _ followee: Int) -> Bool { followees[follower] >> UInt8(followee) & 1 == 1 }
    func hidesReshares(_ muter: Int, _ muted: Int) -> Bool { mutedReshares[muter] >> UInt8(muted) & 1 == 1 }
    func reshare(of post: Int, by user: Int) -> Reshare? { reshares.first { $0.user == user && $0.post == post } }

    /// The places of `viewer`'s home timeline.
    func home(of viewer: Int) -> PlaceSet { homes[viewer] }
    /// The places of `viewer`'s window without a cap.
    func window(of viewer: Int) -> PlaceSet { windows[viewer] }
    /// The places that followed hubs propose at the read.
    func proposals(of viewer: Int, whileReturning: Bool) -> PlaceSet {
        var places = PlaceSet()
        for hub in 0..<Self.users where follows(viewer, hub) {
            if let state = hubs[hub], state.isPulledOnly || whileReturning { places = places.union(pulled[hub]) }
        }
        return places
    }

    /// The place of `post` in the window of `viewer`.
    func windowPlace(of post: Int, for viewer: Int) -> Int? {
        windows[viewer].newestFirst.first { posts[$0] == post }
    }

    /// Returns true if `viewer` has a reason at `place`, hubs included.
    func isReason(_ place: Int, for viewer: Int) -> Bool {
        let actors = followees[viewer] | 1 << UInt8(viewer)
        guard live.contains(posts[place]) else { return false }
        if posts[place] == place { return authors[place].contains { actors >> UInt8($0) & 1 == 1 } }
        return reshares.contains { $0.place == place && (actors & ~mutedReshares[viewer]) >> UInt8($0.user) & 1 == 1 }
    }

    func firstReason(for post: Int, of viewer: Int) -> Int {
        if isReason(post, for: viewer) { return post }
        return reshares.first { $0.post == post && isReason($0.place, for: viewer) }?.place ?? Self.lastNumber
    }

    // MARK: Acts

    mutating func publish(by author: Int, with collaborator: Int?) -> Int {
        let post = posts.count
        posts.append(post)
        authors.append([author, collaborator].compactMap(\.self))
        live.insert(post)
        derive()
        return post
    }

    /// Deletes a post. Its reshares stay until it has left the windows that they brought it to.
    mutating func delete(_ post: Int) {
        live.remove(post)
        derive()
    }

    mutating func purgeReshares(of post: Int) { reshares.removeAll { $0.post == post } }

    mutating func accept(_ user: Int, _ post: Int) {
        authors[post].append(user)
        derive()
    }

    mutating func leave(_ user: Int, _ post: Int) {
        authors[post].removeAll { $0 == user }
        derive()
    }

    mutating func reshare(_ post: Int, by user: Int) -> Int {
        reshares.append(Reshare(place: posts.count, user: user, post: post))
        posts.append(post)
        authors.append([])
        derive()
        return posts.count - 1
    }

    mutating func unreshare(_ place: Int) {
        reshares.removeAll { $0.place == place }
        derive()
    }

    mutating func follow(_ follower: Int, _ followee: Int) {
        follows.append(Follow(follower: follower, followee: followee, number: takeNumber()))
        followees[follower] |= 1 << UInt8(followee)
        derive()
    }

    mutating func unfollow(_ follower: Int, _ followee: Int) {
        follows.removeAll { $0.follower == follower && $0.followee == followee }
        followees[follower] &= ~(1 << UInt8(followee))
        derive()
    }

    mutating func toggleMuteOfPosts(_ muter: Int, _ muted: Int) {
        mutedPosts[muter] ^= 1 << UInt8(muted)
        derive()
    }

    mutating func toggleMuteOfReshares(_ muter: Int, _ muted: Int) {
        mutedReshares[muter] ^= 1 << UInt8(muted)
        derive()
    }

    /// Returns the number of the switch.
    mutating func switchHub(_ user: Int, isPulledOnly: Bool) -> Int {
        let since = takeNumber()
        hubs[user] = Hub(isPulledOnly: isPulledOnly, since: since)
        derive()
        return since
    }

    mutating func finishBackfill(_ user: Int, since: Int?) {
        guard let hub = hubs[user], !hub.isPulledOnly, since == nil || hub.since == since else { return }
        hubs[user] = nil
        derive()
    }

    private mutating func takeNumber() -> Int {
        posts.append(0)
        authors.append([])
        return posts.count - 1
    }

    private mutating func derive() {
        var hubMask: UInt8 = 0
        for (user, hub) in hubs.enumerated() {
            if hub?.isPulledOnly == true { hubMask |= 1 << UInt8(user) }
            pulled[user] = PlaceSet()
        }
        let masks = authors.map { $0.reduce(UInt8(0)) { $0 | 1 << UInt8($1) } }
        for post in live.newestFirst { for author in authors[post] { pulled[author].insert(post) } }
        for reshare in reshares where live.contains(reshare.post) { pulled[reshare.user].insert(reshare.place) }
        for viewer in 0..<Self.users {
            let me = UInt8(1) << UInt8(viewer)
            let actors = followees[viewer] | me
            homes[viewer] = places(by: actors, resharesBy: actors & ~mutedReshares[viewer], masks) {
                masks[$0] & mutedPosts[viewer] == 0
            }
            let pushed = followees[viewer] & ~hubMask | me
            windows[viewer] = places(by: pushed, resharesBy: pushed & ~mutedReshares[viewer], masks) { _ in true }
        }
    }

    /// The first place of each post.
    private func places(
        by actors: UInt8, resharesBy: UInt8, _ masks: [UInt8], where isShown: (Int) -> Bool
    ) -> PlaceSet {
        var places = PlaceSet()
        var reshared = PlaceSet()
        for post in live.newestFirst where isShown(post) && masks[post] & actors != 0 { places.insert(post) }
        for reshare in reshares where live.contains(reshare.post) && !places.contains(reshare.post) {
            guard resharesBy >> UInt8(reshare.user) & 1 == 1, !reshared.contains(reshare.post) else { continue }
            guard isShown(reshare.post) else { continue }
            reshared.insert(reshare.post)
            places.insert(reshare.place)
        }
        return places
    }
}
