import Foundation
import GraphServices
import Hummingbird
import SocialGraph

/// Other users.
struct UserRoutes: Sendable {
    let graph: GraphStore
    /// Makes a stored URL absolute.
    let publicURL: @Sendable (String) -> String

    /// `GET /v1/users/{id}`
    @Sendable func user(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        return try await answer(graph.blocksAndMutes.shownAccount(context.userID(), to: context.requireCaller()))
    }

    /// `GET /v1/users/by-username/{username}`
    @Sendable func userByName(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let name = context.parameters.get("username")?.removingPercentEncoding ?? ""
        return try await answer(graph.blocksAndMutes.shownAccount(username: name, to: context.requireCaller()))
    }

    private func answer(_ account: Account?) throws -> Response {
        guard let account else { throw GraphError.accountNotFound }
        return .json { $0.account(account, publicURL) }
    }
}
