@testable import SocialGraph

/// Private accounts, and the requests to follow them, in the model.
extension ReferenceGraph {
    struct Request: Equatable {
        let follower: UserID
        let followee: UserID
    }

    func isRequested(_ follower: UserID, _ followee: UserID) -> Bool {
        requests.contains(Request(follower: follower, followee: followee))
    }

    mutating func removeRequest(_ follower: UserID, _ followee: UserID) -> Bool {
        let isThere = isRequested(follower, followee)
        requests.removeAll { $0 == Request(follower: follower, followee: followee) }
        return isThere
    }

    /// Requests to follow `user`, as the owner's list shows them.
    func shownRequests(to user: UserID) -> [UserID] {
        requests.filter { $0.followee == user && !suspended.contains($0.follower) }.map(\.follower).reversed()
    }

    /// Requests by `user`, as the sender's list shows them.
    func shownRequests(by user: UserID) -> [UserID] {
        requests.filter { $0.follower == user && !suspended.contains($0.followee) }.map(\.followee).reversed()
    }

    mutating func approve(_ follower: UserID, by owner: UserID) throws {
        guard !suspended.contains(follower), !blocks[follower, default: []].contains(owner) else {
            throw GraphError.accountNotFound
        }
        guard removeRequest(follower, owner) else {
            if follows(follower, owner) { return }
            throw GraphError.followRequestNotFound
        }
        _ = try connect(follower, owner)
    }

    mutating func decline(_ follower: UserID, by owner: UserID) -> Bool {
        defect == .declineKeepsRequests ? isRequested(follower, owner) : removeRequest(follower, owner)
    }

    /// Approves what waits for accounts that are public.
    mutating func approveWaiting() throws {
        guard defect != .openingKeepsRequests else { return }
        for request in requests where !secluded.contains(request.followee) {
            _ = removeRequest(request.follower, request.followee)
            if !suspended.contains(request.follower) { _ = try connect(request.follower, request.followee) }
        }
    }
}
