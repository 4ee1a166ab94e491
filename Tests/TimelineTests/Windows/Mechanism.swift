/// What keeps windows right. Each can be switched off, to see that the model notices.
enum Mechanism: String, CaseIterable, Sendable {
    /// Removals wait for additions composed from older snapshots: a deletion, a reshare taken back, a window built anew
    /// after an unfollow.
    case graceAtUnpush, graceAtUnshare, graceAtRefresh
    /// A late push is silent below a window's floor.
    case floorCheck
    /// A flip records the floor that it creates.
    case floorAtFlip
    /// A flip has nothing below the last entry of a snapshot that was cut off there.
    case cutAtFlip
    /// Of two places of one post the smaller stays.
    case smallerPlaceStays
    /// A post whose reason is gone goes to the place of its next one,
    case nextPlace
    /// also where the reason that is gone lay below the floor,
    case nextPlaceAboveFloor
    /// and the next reason is looked for after the post was taken out.
    case lookAfterTakingOut
    /// What was undone meanwhile is not pushed any more.
    case liveness
    /// Commands left in the socket of an earlier connection are refused.
    case fence
    /// Another run of Redis has no windows.
    case generation
    /// Pushes reach building windows.
    case buildRegistry
    /// A window that is to be built anew is built until that has succeeded.
    case lostBuilds
    /// The windows of a former hub's followers are built anew before the pulling ends,
    case landingRefresh
    /// the hub is pulled meanwhile,
    case pullingWhileReturning
    /// and a landing ends the pulling only if it belongs to the last switch.
    case landingSince
    /// Readers whose own acts are on their way are answered from SQLite.
    case unsettledReaders
    /// Visibility and place are asked of every candidate at the read.
    case ruleAtRead
}

extension Mechanism {
    /// Kinds of act that bring the races near which the mechanism closes; empty: any.
    var focus: [WindowStateMachine.Act] {
        switch self {
        case .graceAtUnpush: [.publish, .publish, .delete, .reshare]
        case .graceAtUnshare, .lookAfterTakingOut: [.publish, .reshare, .reshare, .unreshare]
        case .graceAtRefresh, .lostBuilds: [.publish, .follow]
        case .nextPlaceAboveFloor: [.publish, .publish, .reshare, .reshare, .collaborate, .collaborate]
        case .cutAtFlip: [.publish, .reshare, .reshare, .collaborate, .collaborate, .follow]
        case .fence: [.publish, .publish, .publish, .delete]
        case .landingSince, .landingRefresh: [.publish, .publish, .reshare, .switchHub, .switchHub]
        default: []
        }
    }

    /// Those that random schedules find in moderate time. The others take two or three rare events in one order:
    /// `WindowPositionTests` and `RetractionTests` set those up on purpose.
    static let foundByChance = allCases.filter { $0 != .cutAtFlip && $0 != .lookAfterTakingOut && $0 != .lostBuilds }

    /// Where to begin, shortly before a schedule that is known to find it.
    var firstSeed: UInt64 {
        switch self {
        case .graceAtRefresh: 2_750
        case .fence: 2_550
        case .landingSince: 1_390
        default: 0
        }
    }
}
