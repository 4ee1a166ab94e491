import Database
import SocialGraph

/// What a user can be told of away from the app. The raw value is stable: it is stored, and it is the wire's.
package enum PushKind: String, Sendable, CaseIterable {
    case like, comment, share, follow, mention, collaboration
    /// A post that matches what the user prefers.
    case newVideo
    /// Something to watch, at a time that the user has chosen.
    case reminder
    /// A discussion that is trending, at a time that the user has chosen.
    case trending

    package init(_ kind: NotificationKind) {
        self =
            switch kind {
            case .like: .like
            case .comment: .comment
            case .share: .share
            case .follow: .follow
            case .mention: .mention
            case .collaboration: .collaboration
            }
    }

    /// Whether its subject is a group of notifications: it can be told again when the group has grown.
    package var isNotification: Bool { NotificationKind(rawValue: rawValue) != nil }

    /// Stable, stored.
    fileprivate var bit: Int64 {
        switch self {
        case .like: 1
        case .comment: 1 << 1
        case .share: 1 << 2
        case .follow: 1 << 3
        case .mention: 1 << 4
        case .collaboration: 1 << 5
        case .newVideo: 1 << 6
        case .reminder: 1 << 7
        case .trending: 1 << 8
        }
    }
}

/// Kinds as one stored number.
package enum PushKindCoding {
    static func bits(of kinds: Set<PushKind>) -> Int64 { kinds.reduce(0) { $0 | $1.bit } }

    /// Throws ``DatabaseError/storageCorrupt(detail:)`` for a bit that is no kind's.
    static func kinds(in bits: Int64) throws -> Set<PushKind> {
        let kinds = Set(PushKind.allCases.filter { bits & $0.bit != 0 })
        guard self.bits(of: kinds) == bits else { throw DatabaseError.undecodable(PushKind.self, bits) }
        return kinds
    }
}

/// By what a user is told. Quiet hours and opt-outs concern devices; a webhook says itself what it wants, and has no
/// night.
package enum PushChannel: String, Sendable, CaseIterable {
    /// Devices of the user, or the user's topic, through Firebase Cloud Messaging.
    case device
    case webhook
}
