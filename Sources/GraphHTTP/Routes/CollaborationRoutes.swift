import GraphAPI
import GraphServices
import Hummingbird
import SocialGraph
import Timeline

/// Several authors of one post: invitations, and their answers.
struct CollaborationRoutes: Sendable {
    let graph: GraphStore
    let visibility: PostVisibilityCheck

    /// `PUT /v1/posts/{id}/collaborators/{userId}`, by the author → {userId, username, status}, also if the user is
    /// already invited
    @Sendable func invite(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, user, caller) = (try context.postID(), try context.userID("userId"), try context.requireCaller())
        let status = try await visibility.hidingUnseen(post, from: caller) {
            do {
                return try await graph.collaborations.inviteCollaborator(user, to: post, by: caller)
            } catch GraphError.unknownCollaborator {
                throw GraphError.accountNotFound
            } catch GraphError.selfCollaboration {
                throw Problem(.selfCollaboration, "The author cannot be a collaborator. Name another user.")
            }
        }
        guard let account = try await graph.accounts.account(user) else { throw GraphError.accountNotFound }
        return .json { $0.collaborator(user, account.username, status) }
    }

    /// `DELETE /v1/posts/{id}/collaborators/{userId}`, by the author → 204, also if the user was not a collaborator
    @Sendable func remove(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let (post, user, caller) = (try context.postID(), try context.userID("userId"), try context.requireCaller())
        guard try await graph.accounts.account(user) != nil else { throw GraphError.accountNotFound }
        try await visibility.hidingUnseen(post, from: caller) {
            try await graph.collaborations.removeCollaborator(user, from: post, by: caller)
        }
        return .noContent
    }

    /// `POST /v1/posts/{id}/collaboration/accept` → 204, also if it was already accepted
    @Sendable func accept(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await answer(request, context) { try await graph.collaborations.acceptCollaboration(on: $0, by: $1) }
    }

    /// `POST /v1/posts/{id}/collaboration/decline` → 204
    @Sendable func decline(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await answer(request, context) { try await graph.collaborations.declineCollaboration(on: $0, by: $1) }
    }

    /// `POST /v1/posts/{id}/collaboration/leave` → 204
    @Sendable func leave(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await answer(request, context) { try await graph.collaborations.leaveCollaboration(on: $0, by: $1) }
    }

    private func answer(
        _ request: Request, _ context: GraphRequestContext, _ act: (PostID, UserID) async throws -> Void
    ) async throws -> Response {
        try request.refuseQuery()
        let (post, caller) = (try context.postID(), try context.requireCaller())
        try await visibility.hidingUnseen(post, from: caller) { try await act(post, caller) }
        return .noContent
    }
}
