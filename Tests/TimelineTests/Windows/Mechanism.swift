/// Mechanisms that keep windows right. Each can be switched off, to show that the model notices.
enum Mechanism: String, CaseIterable, Sendable {
    /// Removals wait for additions composed from older snapshots, in three cases: a deletion, an undone reshare, and a
    /// rebuild after an unfollow.
    case graceAtRemoval, graceAtReasonRemoval, graceAtRebuild
    /// A late push has no effect below a window's floor.
    case floorCheck
    /// A flip records the floor that it creates.
    case floorAtFlip
    /// A flipped window has nothing below the last entry of a snapshot that was cut off there.
    case cutAtFlip
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
}

extension Mechanism {
    /// Kinds of act that make the mechanism's races likely; empty for all kinds.
    var focus: [WindowStateMachine.Act] {
        switch self {
        case .graceAtRemoval: [.publish, .publish, .delete, .reshare]
        case .graceAtReasonRemoval, .lookAfterTakingOut: [.publish, .reshare, .reshare, .unreshare]
        case .graceAtRebuild, .lostBuilds: [.publish, .follow]
        case .nextPlaceAboveFloor: [.publish, .publish, .reshare, .reshare, .collaborate, .collaborate]
        case .cutAtFlip: [.publish, .reshare, .reshare, .collaborate, .collaborate, .follow]
        case .fence: [.publish, .publish, .publish, .delete]
        case .backfillSince, .backfillRebuild: [.publish, .publish, .reshare, .switchHub, .switchHub]
        default: []
        }
    }

    /// Mechanisms whose absence random schedules reveal in moderate time. The others need two or three rare events in
    /// one order, which `WindowPositionTests` and `RetractionTests` construct.
    static let foundByChance = allCases.filter { $0 != .cutAtFlip && $0 != .lookAfterTakingOut && $0 != .lostBuilds }

    /// The first seed to try, shortly before a schedule that is known to reveal the absence.
    var firstSeed: UInt64 {
        switch self {
        case .graceAtRebuild: 2_750
        case .fence: 2_550
        case .backfillSince: 1_390
        default: 0
        }
    }
}
