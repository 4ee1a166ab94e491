import DequeModule
import SocialGraph

/// Whose turn it is. Jobs wait in one lane for each author, and lanes take turns a step at a time, so that neither a
/// single large audience nor an import of many posts keeps others waiting. Within a lane jobs start in commit order.
/// (Round-robin fair queueing: Nagle, RFC 970, 1985.)
struct JobRotation {
    /// A job and where its next step starts.
    struct Turn: Sendable {
        let job: OutboxJob
        var cursor: AudienceCursor
        var isFirst = true
    }

    private var lanes: [UserID: Deque<Turn>] = [:]
    private var order: Deque<UserID> = []
    private(set) var count = 0

    mutating func add(_ job: OutboxJob) { insert(Turn(job: job, cursor: job.progress), atFront: false) }

    /// A job that has more steps to do: it goes on before later ones of its lane, after the other lanes' turns.
    mutating func resume(_ turn: Turn) { insert(turn, atFront: true) }

    private mutating func insert(_ turn: Turn, atFront: Bool) {
        let lane = turn.job.work.lane
        if lanes[lane] == nil { order.append(lane) }
        if atFront {
            lanes[lane, default: []].prepend(turn)
        } else {
            lanes[lane, default: []].append(turn)
        }
        count += 1
    }

    mutating func next() -> Turn? {
        guard let lane = order.popFirst(), let turn = lanes[lane]?.popFirst() else { return nil }
        if lanes[lane]?.isEmpty == true {
            lanes[lane] = nil
        } else {
            order.append(lane)
        }
        count -= 1
        return turn
    }
}

extension OutboxJob.Work {
    /// Who waits for it; all that concerns readers in bulk shares one lane.
    fileprivate var lane: UserID {
        switch self {
        case .push(_, let author), .unpush(_, let author): author
        case .share(_, let actor), .unshare(_, let actor): actor
        case .refresh(let viewer): viewer
        case .land(let author, _): author
        case .refreshFollowers(let user): user
        case .drop, .build: UserID(rawValue: 0)
        }
    }
}
