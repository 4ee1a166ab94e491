import Database
import SocialGraph
import Text

/// Reads and writes the columns and rows that hold the facets' states and are used by every read of the graph.
package struct FacetStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
        /// Queries that see the writes of the transaction.
        var stored: Reader { Reader(transaction) }
    }
}

extension FacetStore.Reader {
    /// Returns the current state in the form of the facet's stack; nil if the subject is gone.
    func state(of key: FacetKey) throws -> FacetState? {
        if let column = key.facet.column {
            return try reader.first(
                "SELECT \(column.name) FROM \(column.table) WHERE id = ?1", [.integer(key.subject)]
            ) { row in
                key.facet == .accountSiteRole
                    ? .siteRole(try row.optionalChoice(0)) : .flag(since: row.optionalInteger(0))
            }
        }
        switch key.facet {
        case .postPinned:
            return try reader.first(Self.pinQuery, [.integer(key.subject)]) { .flag(since: $0.optionalInteger(0)) }
        case .membership:
            return .membership(try membership(of: UserID(rawValue: key.subject), in: key.communityID))
        case .communityPrivate:
            return try reader.first("SELECT is_private FROM community WHERE id = ?1", [.integer(key.subject)]) {
                .flag(since: $0.integer(0) == 0 ? nil : 1)
            }
        case .communityName:
            return try reader.first("SELECT name FROM community WHERE id = ?1", [.integer(key.subject)]) {
                .name($0.text(0))
            }
        case .communityOwner: return .owner(try owner(of: CommunityID(rawValue: key.subject)))
        case .report:
            return try reader.first(Self.reportStateQuery, [.integer(key.subject)]) {
                .report(try ReportState(row: $0, at: 0))
            }
        case .appeal:
            return try reader.first(Self.appealStateQuery, [.integer(key.subject)]) {
                .appeal(try AppealState(row: $0, status: 0, decidedBy: 1, decidedAt: 2))
            }
        default: return .flag(since: nil)
        }
    }

    static let pinQuery = """
        SELECT n.position FROM post p LEFT JOIN community_pin n ON n.post_id = p.id
        WHERE p.id = ?1 AND p.deleted_at IS NULL
        """

    /// Returns whether the subject is a post or a comment that is counted.
    fileprivate func isCounted(_ key: FacetKey) throws -> Bool {
        switch key.facet {
        case .commentRemoved, .commentTakenDown, .commentHeld:
            try reader.exists(EngagementStore.countedCommentProbe, [.integer(key.subject)])
        case .postRemoved, .postTakenDown, .postHeld:
            try reader.exists(Self.unhiddenPostProbe, [.integer(key.subject)])
        default: false
        }
    }

    static let unhiddenPostProbe = "SELECT 1 FROM post WHERE id = ?1 AND \(PostStore.Writer.unhiddenPost)"

    // MARK: Cases

    static let reportStateQuery =
        "SELECT status, claimed_by, resolution, resolved_by, resolved_at FROM report WHERE id = ?1"
    static let appealStateQuery = "SELECT status, decided_by, decided_at FROM appeal WHERE id = ?1"
}

extension FacetStore.Writer {
    /// Writes the states that result from the stacks.
    func apply(_ stacks: [FacetStack]) throws {
        var memberships: [FacetKey: FacetStack] = [:]
        var owners: [CommunityID: UserID] = [:]
        for stack in stacks {
            switch stack.key.facet {
            case .membership: memberships[stack.key] = stack
            case .communityOwner:
                let community = CommunityID(rawValue: stack.key.subject)
                let before = try stored.owner(of: community)
                guard case .owner(let next) = stack.state else { throw stack.key.unfit(stack.state) }
                guard let owner = next else { continue }
                owners[community] = owner
                for user in [before, owner].compactMap({ $0 }) {
                    let key = FacetKey(.membership, user.rawValue, in: community)
                    guard !stacks.contains(where: { $0.key == key }) else { continue }
                    memberships[key] = try self.stack(key)
                }
            default: try write(stack.state, to: stack.key)
            }
        }
        for community in Set(memberships.keys.map(\.communityID)) {
            let here = memberships.values.filter { $0.key.communityID == community }
            try applyMemberships(here, of: community, owner: owners[community])
        }
    }

    private func write(_ state: FacetState, to key: FacetKey) throws {
        guard let before = try stored.state(of: key), before != state else { return }
        let wasCounted = try stored.isCounted(key)
        if let column = key.facet.column {
            let value: SQLValue
            switch state {
            case .flag(let since): value = .integer(optional: since)
            case .siteRole(let role): value = .optional(role?.rawValue)
            default: throw key.unfit(state)
            }
            try transaction.execute(
                "UPDATE \(column.table) SET \(column.name) = ?2 WHERE id = ?1", [.integer(key.subject), value])
        }
        switch (key.facet, state) {
        case (.postRemoved, _), (.postTakenDown, _), (.postHeld, _):
            let post = PostID(rawValue: key.subject)
            let isCounted = try stored.isCounted(key)
            if isCounted != wasCounted { try PostStore.Writer(transaction).countPost(post, isCounted ? 1 : -1) }
            transaction.index(.post(post))
            try transaction.record(.postModerated(PostID(rawValue: key.subject)))
            try ClassifierStore.Writer(transaction).announceIfDue(.post(post))
        case (.postFeatured, _): try recordCommunityChange(ofPost: key.subject)
        case (.postPinned, .flag(let position)): try pin(PostID(rawValue: key.subject), at: position)
        case (.commentRemoved, _), (.commentTakenDown, _), (.commentHeld, _):
            let comment = CommentID(rawValue: key.subject)
            let post = try transaction.first("SELECT post_id FROM comment WHERE id = ?1", [.comment(comment)]) {
                PostID(rawValue: $0.integer(0))
            }
            let isCounted = try stored.isCounted(key)
            if isCounted != wasCounted {
                try CommentStore.Writer(transaction).count(isCounted ? 1 : -1, comment: comment)
            }
            try updateQueue(comment)
            try transaction.record(.commentModerated(comment, on: isCounted != wasCounted ? post : nil))
            try ClassifierStore.Writer(transaction).announceIfDue(.comment(comment))
        case (.communityLocked, _), (.communityArchived, _):
            try transaction.record(.communityChanged(CommunityID(rawValue: key.subject)))
        case (.communityPrivate, .flag): try setPrivate(CommunityID(rawValue: key.subject), state.isSet)
        case (.communityName, .name(let name)): try rename(CommunityID(rawValue: key.subject), to: name)
        case (.accountSuspended, _):
            try AccountStore.Writer(transaction).suspensionChanged(UserID(rawValue: key.subject))
        case (.accountSilenced, _), (.accountSiteRole, _):
            transaction.index(.account(UserID(rawValue: key.subject)))
            try transaction.record(.accountModerated(UserID(rawValue: key.subject)))
        case (.report, .report(let state)): try writeReport(state, key.subject)
        case (.appeal, .appeal(let state)): try writeAppeal(state, key.subject)
        case (.membership, _), (.communityOwner, _), (.strike, _): break
        case (.postPinned, _), (.communityPrivate, _), (.communityName, _), (.report, _), (.appeal, _):
            throw key.unfit(state)
        }
    }

    // MARK: Posts and communities

    private func recordCommunityChange(ofPost post: Int64) throws {
        let community = try transaction.first("SELECT community_id FROM post WHERE id = ?1", [.integer(post)]) {
            $0.optionalInteger(0)
        }
        guard let community = community ?? nil else { return }
        try transaction.record(.communityChanged(CommunityID(rawValue: community)))
    }

    private func pin(_ post: PostID, at position: Int64?) throws {
        try transaction.execute("DELETE FROM community_pin WHERE post_id = ?1", [.post(post)])
        let community = try transaction.first("SELECT community_id FROM post WHERE id = ?1", [.post(post)]) {
            $0.optionalInteger(0).map(CommunityID.init(rawValue:))
        }
        guard let community = community ?? nil else { return }
        if let position {
            try BlockAndMuteStore.Reader(transaction).requireRoom(
                "SELECT COUNT(*) FROM community_pin WHERE community_id = ?1", [.community(community)],
                below: SocialGraphLimits.pinsPerCommunity, "pinned posts")
            try transaction.execute(
                "INSERT INTO community_pin (community_id, post_id, position) VALUES (?1, ?2, ?3)",
                [.community(community), .post(post), .integer(position)])
        }
        try transaction.record(.communityChanged(community))
    }

    private func setPrivate(_ community: CommunityID, _ isPrivate: Bool) throws {
        try transaction.execute(
            "UPDATE community SET is_private = ?2 WHERE id = ?1", [.community(community), .flag(isPrivate)])
        try transaction.record(.communityChanged(community))
        try transaction.record(.communityVisibilityChanged(community))
    }

    /// Renames a community, also in its posts, which contain the name.
    private func rename(_ community: CommunityID, to name: String) throws {
        let key = NameFolding.key(name)
        let isTaken = try transaction.exists(
            "SELECT 1 FROM community WHERE name_key = ?1 AND id <> ?2", [.text(key), .community(community)])
        guard !isTaken else { throw GraphError.communityNameTaken(name) }
        try transaction.execute(
            "UPDATE community SET name = ?2, name_key = ?3 WHERE id = ?1",
            [.community(community), .text(name), .text(key)])
        transaction.index(.community(community))
        try transaction.record(.communityChanged(community))
        try transaction.record(.communityVisibilityChanged(community))
    }

    private func writeReport(_ state: ReportState, _ report: Int64) throws {
        if state.status != .resolved, try transaction.exists(Self.reportedAgainProbe, [.integer(report)]) {
            throw ModerationError.notApplicable("The same user has reported this again, and that report is open.")
        }
        try transaction.execute(
            """
            UPDATE report SET status = ?2, claimed_by = ?3, resolution = ?4, resolved_by = ?5, resolved_at = ?6
            WHERE id = ?1
            """, [.integer(report)] + state.columns)
        try transaction.record(.reportChanged(ReportID(rawValue: report)))
    }

    static let reportedAgainProbe = """
        SELECT 1 FROM report r JOIN report o ON o.reporter_id = r.reporter_id AND o.subject_kind = r.subject_kind
            AND o.subject_id = r.subject_id AND o.status <> \(ReportStatus.resolved.literal) AND o.id <> r.id
        WHERE r.id = ?1
        """

    private func writeAppeal(_ state: AppealState, _ appeal: Int64) throws {
        try transaction.execute(
            "UPDATE appeal SET status = ?2, decided_by = ?3, decided_at = ?4 WHERE id = ?1",
            [.integer(appeal)] + state.columns)
    }
}

extension FacetKey {
    var communityID: CommunityID { CommunityID(rawValue: community) }
}
