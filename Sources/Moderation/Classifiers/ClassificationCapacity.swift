import Database
import SocialGraph

/// Concurrency limits for calls to classifiers. The site has its own share; communities have a common one, with a limit
/// for each community.
package struct ClassificationCapacity: Sendable {
    /// Maximum number of scopes searched for due calls.
    static let scopesLookedThrough = 256

    package var ofSite: Int
    package var ofCommunities: Int
    package var ofOneCommunity: Int
    /// The number of calls of each community in progress.
    package var underWay: [CommunityID: Int]
    /// The community with the last turn. The search starts with the next one.
    package var after: CommunityID?

    package init(
        ofSite: Int, ofCommunities: Int, ofOneCommunity: Int, underWay: [CommunityID: Int] = [:],
        after: CommunityID? = nil
    ) {
        self.ofSite = ofSite
        self.ofCommunities = ofCommunities
        self.ofOneCommunity = ofOneCommunity
        self.underWay = underWay
        self.after = after
    }
}

extension ClassifierStore.Reader {
    /// Due calls within the limits: the site's first, then communities in turn, and for each the longest due first.
    func dueClassifications(_ capacity: ClassificationCapacity, at now: Int64) throws -> [Int64] {
        func due(_ scope: Int64, _ limit: Int) throws -> [Int64] {
            guard limit > 0 else { return [] }
            return try reader.rows(Self.dueInScopeQuery, [.integer(scope), .integer(now), .integer(Int64(limit))]) {
                $0.integer(0)
            }
        }
        var found = try due(0, capacity.ofSite)
        var left = capacity.ofCommunities
        let start = capacity.after?.rawValue ?? 0
        var (cursor, hasWrapped, looks) = (start, false, 0)
        while left > 0, looks < ClassificationCapacity.scopesLookedThrough {
            looks += 1
            let next = try reader.first(Self.nextScopeQuery, [.integer(cursor)]) { $0.integer(0) }
            guard let next, !hasWrapped || next <= start else {
                guard !hasWrapped, next == nil, start > 0 else { break }
                (cursor, hasWrapped) = (0, true)
                continue
            }
            let part = capacity.ofOneCommunity - capacity.underWay[CommunityID(rawValue: next), default: 0]
            let questions = try due(next, min(part, left))
            left -= questions.count
            found += questions
            cursor = next
        }
        return found
    }

    static let dueInScopeQuery = """
        SELECT id FROM classification WHERE scope_id = ?1 AND next_at <= ?2 ORDER BY next_at, id LIMIT ?3
        """
    static let nextScopeQuery = "SELECT scope_id FROM classification WHERE scope_id > ?1 ORDER BY scope_id LIMIT 1"
}
