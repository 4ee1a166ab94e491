import DequeModule
import SocialGraph
import Synchronization

/// Acts that can bring a post into a timeline below existing entries: everything except new posts and reshares, which
/// come on top. Results computed below a position stay valid until an event that concerns their reader.
final class LateEvents: Sendable {
    /// Maximum number of events compared with filter windows. A window older than the first of them is discarded.
    static let capacity = 10_000

    private enum Event {
        /// The reader's own follows, blocks or mutes have changed.
        case reader(UserID)
        /// Followers of this user, the user, and readers from whom this user's participation in a post hid the post.
        case actor(UserID)
        case readersWithMutedWords
        case everybody
    }

    private struct State {
        var events: Deque<Event> = []
        /// The number of the first event kept.
        var first = 0
    }

    private let state = Mutex(State())

    /// A number that grows with every event.
    var mark: Int { state.withLock { $0.first + $0.events.count } }

    func observe(_ changes: [GraphChange]) {
        state.withLock { state in
            for change in changes {
                for event in Self.events(of: change) { state.events.append(event) }
            }
            let surplus = state.events.count - Self.capacity
            if surplus > 0 {
                state.events.removeFirst(surplus)
                state.first += surplus
            }
        }
    }

    /// Returns whether an event since `mark` may concern the reader.
    func concern(_ context: ViewerContext, since mark: Int) -> Bool {
        state.withLock { state in
            guard mark >= state.first else { return true }
            return state.events[(mark - state.first)...].contains { event in
                switch event {
                case .reader(let user): user == context.viewer
                case .actor(let user):
                    user == context.viewer || context.follows(user) || context.mutedPosts.contains(user)
                        || context.blocked.contains(user)
                case .readersWithMutedWords: context.mutedWords != nil
                case .everybody: true
                }
            }
        }
    }

    private static func events(of change: GraphChange) -> [Event] {
        switch change {
        case .postPublished, .postDeleted, .reshared, .invitationChanged, .hubChanged, .topicCreated,
            .sessionsChanged, .likesChanged, .commented, .commentChanged, .sharedExternally, .notified,
            .notificationsChanged, .savesChanged, .watched, .segmentsChanged, .embeddingChanged,
            .commentModerated, .reportChanged, .rulesChanged, .postReleased:
            []
        case .followed(let user, _), .unfollowed(let user, _), .preferencesChanged(let user),
            .membershipChanged(let user, _):
            [.reader(user)]
        case .blockOrMuteChanged(let user, let other): [.reader(user), .reader(other)]
        case .unreshared(_, let user), .collaborationEnded(_, let user), .accountChanged(let user, _):
            [.actor(user)]
        // The text may have lost the words that hid the post.
        case .postEdited: [.readersWithMutedWords]
        // Readers who follow a topic of the post, too, if its other authors are silenced or suspended.
        case .collaborationAccepted, .postModerated, .communityChanged, .communityVisibilityChanged, .graphImported,
            .accountDeleted, .accountModerated, .accountPrivacyChanged, .unknown:
            [.everybody]
        }
    }
}
