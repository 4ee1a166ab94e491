import GraphAPI
import Hummingbird
import Moderation
import SocialGraph

extension AccountExport {
    /// Writes the user's reports and appeals, and the acts of moderators that concern the user.
    func writeModeration(
        _ part: Part, _ stream: inout JSONStream, _ body: inout any ResponseBodyWriter
    ) async throws {
        let user = account.id
        switch part {
        case .reports:
            try await pages(&stream, &body) {
                try await graph.reports.ownReports(of: user, below: $0, limit: Self.pageLength)
            } write: {
                $0.ownReport($1)
            }
        case .appeals:
            try await pages(&stream, &body) {
                try await graph.appeals.appeals(of: user, below: $0, limit: Self.pageLength)
            } write: {
                $0.ownAppeal($1)
            }
        default:
            try await pages(&stream, &body) {
                try await graph.moderationQueries.ownModeration(of: user, below: $0, limit: Self.pageLength)
            } write: {
                $0.ownEntry($1)
            }
        }
    }
}
