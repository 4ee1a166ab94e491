import SocialGraph

/// Open streams by reader, and readers by source, so that a change is only offered to the readers whom it may concern.
/// The index may hold too much for a reader, never too little: the visibility rule decides.
struct StreamIndex {
    private struct Reader {
        var streams: [Int: StreamSubscription] = [:]
        var sources: [FeedSource] = []
    }

    private var readers: [UserID: Reader] = [:]
    private var bySource: [FeedSource: Set<UserID>] = [:]
    /// Readers whose sources are unknown or out of date.
    private(set) var unknown: Set<UserID> = []
    /// The number of open streams.
    private(set) var count = 0

    /// Returns the number of open streams of `viewer`.
    func count(of viewer: UserID) -> Int { readers[viewer]?.streams.count ?? 0 }

    mutating func insert(_ stream: StreamSubscription) {
        if readers[stream.viewer] == nil { unknown.insert(stream.viewer) }
        readers[stream.viewer, default: Reader()].streams[stream.number] = stream
        count += 1
    }

    /// Removes a stream. Idempotent.
    mutating func remove(_ stream: StreamSubscription) {
        guard readers[stream.viewer]?.streams.removeValue(forKey: stream.number) != nil else { return }
        count -= 1
        guard readers[stream.viewer]?.streams.isEmpty == true else { return }
        set([], of: stream.viewer)
        readers[stream.viewer] = nil
    }

    /// Forgets the sources of `affected`, which are out of date.
    mutating func forget(_ affected: AffectedReaders) {
        switch affected {
        case .none: break
        case .some(let users): unknown.formUnion(users.filter { readers[$0] != nil })
        case .all: unknown = Set(readers.keys)
        }
    }

    /// Notes the sources that can bring a post to `viewer`, if a stream of the viewer is still open.
    mutating func set(_ sources: [FeedSource], of viewer: UserID) {
        unknown.remove(viewer)
        guard let before = readers[viewer]?.sources, before != sources else { return }
        let (old, new) = (Set(before), Set(sources))
        for source in old.subtracting(new) {
            bySource[source]?.remove(viewer)
            if bySource[source]?.isEmpty == true { bySource[source] = nil }
        }
        for source in new.subtracting(old) { bySource[source, default: []].insert(viewer) }
        readers[viewer]?.sources = sources
    }

    /// Returns the streams that were opened after the one with `number` and may be concerned.
    func streams(_ audience: StreamAudience, openedAfter number: Int) -> [StreamSubscription] {
        let viewers: Set<UserID> =
            switch audience {
            case .reader(let user): [user]
            case .readers(let sources): sources.reduce(into: []) { $0.formUnion(bySource[$1] ?? []) }
            }
        return viewers.flatMap { viewer in
            (readers[viewer]?.streams ?? [:]).filter { $0.key > number }.map(\.value)
        }
    }
}

/// The viewers whom a change may concern.
enum StreamAudience: Equatable, Sendable {
    case reader(UserID)
    /// The readers of at least one of these sources.
    case readers(of: [FeedSource])
}
