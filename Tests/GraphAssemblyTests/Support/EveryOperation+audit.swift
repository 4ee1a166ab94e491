import Audit
import Database
import SocialGraph

extension EveryOperation {
    static func audit(on graph: GraphStore, _ admin: UserID) async throws {
        try await graph.audit.append([AuditNote(.keyRotated, by: .machine("m"))])
        let filters: [AuditFilter?] = [nil, .action(.keyRotated), .actor(admin), .subject(1)]
        for filter in filters { _ = try await graph.audit.entries(filter, below: nil, limit: 5) }
    }
}
