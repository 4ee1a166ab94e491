/// Mechanisms that keep windows right. Each can be switched off, to show that the model notices.
enum Mechanism: String, CaseIterable, Sendable {
    /// Removals wait for additions composed from older snapshots, in three cases: a deletion, an undone reshare, and a
    /// rebuild after an unfollow.
    case graceAtRemoval, graceAtReasonRemoval, graceAtRebuild
    /// Entries of a tail below the last entry of the sorted set are ignored, by readers and when they are folded.
    case tailEndsAtFloor
    /// A window has two keys. If either is gone, there is no window.
    case bothKeys
    /// An append creates no tail.
    case appendsToWindowsOnly
    /// Removals and retractions reach the tail, too.
    case removalFromTail, retractionFromTail
    /// A tail is folded only if nothing but appends happened since it was read, which its stamp shows.
    case foldStamp
    /// Whatever changes a window otherwise than by an append gives it another stamp.
    case stampAtChange
    /// A fold is sent to the generation whose window was read, or not at all.
    case foldInItsGeneration
    /// A fold keeps what was appended since the tail was read.
    case foldKeepsNewer
    /// A tail that has reached its bound is folded before its push is done, even if its fold waits in the queue.
    case overdueFold
    /// A read that found another stamp before the sorted set than in the tail is repeated.
    case stampedRead
    /// The smaller of two places of one post stays.
    case smallerPlaceStays
    /// A post that loses its reason moves to the place of its next one.
    case nextPlace
    /// The post also moves if the lost reason was below the floor.
    case nextPlaceAboveFloor
    /// The next reason is looked up after the post was removed.
    case lookAfterTakingOut
    /// Undone acts are not pushed any more.
    case liveness
    /// Commands left in the socket of an earlier connection are refused.
    case fence
    /// Another run of Redis has no windows.
    case generation
    /// A shard that is given up has no windows when it comes back.
    case endedGeneration
    /// Pushes reach building windows.
    case buildRegistry
    /// A requested rebuild is repeated until it has succeeded.
    case lostBuilds
    /// The windows of a former hub's followers are rebuilt before the pulling ends.
    case backfillRebuild
    /// A hub that returns to pushing is pulled until then.
    case pullingWhileReturning
    /// A backfill ends the pulling only if it belongs to the last switch.
    case backfillSince
    /// Readers with pending writes are answered from SQLite.
    case readersWithPendingWrites
    /// The read checks visibility and place of every candidate.
    case ruleAtRead
    /// A push reaches the copy of a window in memory, after Redis has executed it, and what is being read for one.
    case copyTakesPushes, copyFollowsRedis, loadTakesPushes
    /// Any other change ends the copy, and what is being read for one.
    case changeEndsCopy, changeEndsLoad
    /// A rebuild ends the copy of a window that Redis has evicted.
    case missingWindowEndsCopy
    /// A new generation begins without copies.
    case generationEndsCopies
    /// A copy that is cut ends where it was cut.
    case cutRaisesEnd
}

extension Mechanism {
    /// Kinds of act that make the mechanism's races likely; empty for all kinds.
    var focus: [WindowStateMachine.Act] {
        switch self {
        case .graceAtRemoval: [.publish, .publish, .delete, .reshare]
        case .graceAtReasonRemoval, .lookAfterTakingOut: [.publish, .reshare, .reshare, .unreshare]
        case .graceAtRebuild, .lostBuilds: [.publish, .follow]
        case .nextPlaceAboveFloor: [.publish, .publish, .reshare, .reshare, .collaborate, .collaborate]
        case .fence: [.publish, .publish, .publish, .delete]
        case .backfillSince, .backfillRebuild: [.publish, .publish, .reshare, .switchHub, .switchHub]
        default: []
        }
    }

    /// The first seed to try, shortly before a schedule that is known to reveal the absence.
    var firstSeed: UInt64 {
        switch self {
        case .graceAtRebuild: 1_800
        case .appendsToWindowsOnly: 1_500
        case .foldInItsGeneration: 173_100
        case .lookAfterTakingOut: 8_000
        case .fence: 3_900
        case .generation: 4_050
        case .lostBuilds: 35_150
        case .missingWindowEndsCopy: 31_100
        case .backfillSince: 1_900
        case .retractionFromTail: 195
        case .overdueFold: 120
        case .nextPlace: 170
        case .nextPlaceAboveFloor: 135
        case .endedGeneration: 108
        case .copyFollowsRedis, .loadTakesPushes: 102
        case .changeEndsLoad: 3_290
        case .cutRaisesEnd: 215
        default: 0
        }
    }
}
