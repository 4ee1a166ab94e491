import Privacy
import TestSupport

@testable import SocialGraph
@testable import SocialGraphModel

/// Private accounts, and the requests to follow them, in a history.
extension RandomHistory {
    mutating func approve(_ operation: Operation) async throws {
        let (first, second) = try twoUsers()
        // Mostly a request that waits.
        let waiting = model.requests.randomElement(using: &random).map { ($0.follower, $0.followee) }
        let (follower, owner) = chance(5, in: 6) ? waiting ?? (first, second) : (first, second)
        switch operation {
        case .seclude:
            guard !strangers.contains(first) else { return }
            let isPrivate = !model.secluded.contains(first) && model.secluded.count < model.users.count / 3
            try await apply {
                try await $0.setPrivate(isPrivate, first) == ()
            } _: { model in
                if isPrivate { model.secluded.insert(first) } else { model.secluded.remove(first) }
                return true
            }
        case .approve:
            try await apply {
                try await $0.followRequests.approve(follower, by: owner) == ()
            } _: {
                try $0.approve(follower, by: owner) == ()
            }
        case .declineFollow:
            try await apply {
                try await $0.followRequests.decline(follower, by: owner)
            } _: {
                $0.decline(follower, by: owner)
            }
        default:
            let limit = Int.random(in: 1...3, using: &random)
            try await apply { graph in
                for user in try await graph.followRequests.openedAccounts() {
                    while try await graph.followRequests.approveWaiting(of: user, limit: limit) {}
                }
                return try await graph.followRequests.openedAccounts().isEmpty
            } _: {
                try $0.approveWaiting()
                return true
            }
        }
    }

    mutating func askRequests(_ user: UserID) async throws {
        let limit = limit()
        let received = try await allPages { [graph] in
            try await graph.followRequests.requests(to: user, below: $0, limit: limit)
        }
        try expect("requests to \(user)", received.map(\.user), model.shownRequests(to: user))
        let sent = try await allPages { [graph] in
            try await graph.followRequests.sentRequests(by: user, below: $0, limit: limit)
        }
        try expect("requests by \(user)", sent.map(\.user), model.shownRequests(by: user))
    }
}
