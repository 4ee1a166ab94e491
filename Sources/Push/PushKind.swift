import Database
import SocialGraph

/// A kind of event that a user is notified of outside the app. The raw value is stable: it is stored and sent to
/// clients.
package enum PushKind: String, Sendable, CaseIterable {
    case like, comment, share, follow, mention, collaboration
    case followRequest = "follow_request"
    case followAccepted = "follow_accepted"
    case moderation
    /// A post that matches the user's preferences.
    case newVideo
    /// A suggestion to watch, at a time set by the user.
    case reminder
    /// A trending discussion, at a time set by the user.
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
            case .followRequest: .followRequest
            case .followAccepted: .followAccepted
            case .moderation: .moderation
            }
    }

    /// True if the subject is a group of notifications, which can be pushed again when the group has grown.
    package var isNotification: Bool { NotificationKind(rawValue: rawValue) != nil }

    /// Bit of the stored number; stable.
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
        case .followRequest: 1 << 9
        case .followAccepted: 1 << 10
        case .moderation: 1 << 11
        }
    }
}

/// Kinds encoded as one stored number.
package enum PushKindCoding {
    static func bits(of kinds: Set<PushKind>) -> Int64 { kinds.reduce(0) { $0 | $1.bit } }

    /// Throws ``DatabaseError/storageCorrupt(detail:)`` for a bit without a kind.
    static func kinds(in bits: Int64) throws -> Set<PushKind> {
        let kinds = Set(PushKind.allCases.filter { bits & $0.bit != 0 })
        guard self.bits(of: kinds) == bits else { throw DatabaseError.undecodable(PushKind.self, bits) }
        return kinds
    }
}

/// A channel of notification. Quiet hours and opt-outs apply to devices; a webhook chooses its own kinds and has no
/// quiet hours.
package enum PushChannel: String, Sendable, CaseIterable {
    /// Devices of the user, or the user's topic, through Firebase Cloud Messaging.
    case device
    case webhook
}
