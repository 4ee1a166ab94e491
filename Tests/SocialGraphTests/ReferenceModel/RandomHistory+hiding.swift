import TestSupport

@testable import SocialGraph
@testable import SocialGraphModel

/// Suspensions, silences, holds and archives in a history.
extension RandomHistory {
    mutating func hide(_ operation: Operation) async throws {
        // Each act is undone as often as done, so that most content is shown.
        let isSet = chance(1, in: 2)
        switch operation {
        case .suspend:
            let some = try user()
            // Readers with many followees are spared, because they are asked most.
            let isSpared = strangers.contains(some) || model.users.prefix(max(shape.wideReaders, 1)).contains(some)
            guard let user = isSet ? some : model.suspended.sorted().randomElement(using: &random),
                !isSpared || !isSet, !isSet || model.suspended.count < 3
            else { return }
            try await apply {
                try await $0.setSuspended(isSet, user) == ()
            } _: { model in
                if isSet { model.suspended.insert(user) } else { model.suspended.remove(user) }
                return true
            }
        case .silence:
            let some = try user()
            guard let user = isSet ? some : model.silenced.sorted().randomElement(using: &random) else { return }
            try await apply {
                try await $0.setSilenced(isSet, user) == ()
            } _: { model in
                if isSet { model.silenced.insert(user) } else { model.silenced.remove(user) }
                return true
            }
        case .hold:
            let some = somePost()
            let held = model.posts.filter(\.isHeld).randomElement(using: &random)?.id
            guard let post = isSet ? some : held else { return }
            try await apply {
                try await $0.setHeld(isSet, post) == ()
            } _: {
                try $0.setHeld(isSet, post) == ()
            }
        default:
            let community = someCommunity()
            try await apply {
                try await $0.setArchived(isSet, community) == ()
            } _: {
                try $0.setArchived(isSet, community) == ()
            }
        }
    }
}
