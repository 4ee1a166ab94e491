import Audit
import SocialGraph

@testable import Sessions

extension EveryOperation {
    /// Tokens of the operator's programs.
    static func serviceTokens(on graph: GraphStore) async throws {
        let (tokens, machine) = (graph.serviceTokens, AuditActor.machine("m"))
        let added = try await tokens.add(named: "n", scopes: [.renditions], by: machine)
        _ = try await tokens.tokens()
        _ = try await tokens.token(added.text)
        _ = try await tokens.revoke(added.token.id, by: machine)
    }
}
