import Database
import SocialGraph

/// The stored form of facets' states and steps: words, with "-" for an absent one and "" for a flag, a role or an owner
/// that is not set. Every decoder here throws ``DatabaseError/storageCorrupt(detail:)`` for a text that it cannot have
/// written.
extension FacetState {
    package var text: String {
        switch self {
        case .flag(let since): since.map(String.init) ?? ""
        case .siteRole(let role): role?.rawValue ?? ""
        case .name(let name): name
        case .owner(let owner): owner.map { String($0.rawValue) } ?? ""
        case .membership(let membership): membership.text
        case .report(let state): state.text
        case .appeal(let state): state.text
        }
    }

    package init(_ facet: Facet, text: String) throws {
        let isSet = !text.isEmpty
        switch facet.stateKind {
        case .flag: self = .flag(since: isSet ? try FacetWords.only(in: text) : nil)
        case .siteRole: self = .siteRole(isSet ? try SiteRole(stored: text) : nil)
        case .name: self = .name(text)
        case .owner: self = .owner(isSet ? UserID(rawValue: try FacetWords.only(in: text)) : nil)
        case .membership: self = .membership(try MembershipState(text: text))
        case .report: self = .report(try ReportState(text: text))
        case .appeal: self = .appeal(try AppealState(text: text))
        }
    }
}

extension FacetStep {
    package var text: String {
        switch self {
        case .set(let state): state.text
        case .membership(let step): step.text
        }
    }

    package init(_ facet: Facet, text: String) throws {
        self =
            facet == .membership ? .membership(try MembershipStep(text: text)) : .set(try FacetState(facet, text: text))
    }
}

extension MembershipState {
    var text: String {
        FacetWords.text(
            isBanned ? "banned" : nil, FacetWords.word(request), member?.role.rawValue,
            FacetWords.word(member?.position), member.map { FacetWords.word(isInHome: $0.isInHome) },
            FacetWords.word(member?.promotedAt))
    }

    init(text: String) throws {
        var words = FacetWords(text)
        let isBanned = try words.optional { $0 == "banned" ? true : nil } ?? false
        let request = try words.optionalNumber()
        let role = try words.optionalChoice(of: CommunityRole.self)
        let position = try words.optionalNumber()
        let isInHome = try words.optional(FacetWords.isInHome)
        let promotedAt = try words.optionalNumber()
        try words.end()
        switch (role, position, isInHome) {
        case (let role?, let position?, let isInHome?):
            let member = Member(role: role, position: position, isInHome: isInHome, promotedAt: promotedAt)
            self.init(isBanned: isBanned, request: request, member: member)
        case (nil, nil, nil) where promotedAt == nil: self.init(isBanned: isBanned, request: request)
        default: throw DatabaseError.undecodable(Self.self, text)
        }
    }
}

extension MembershipStep {
    package enum Kind: String, Sendable, CaseIterable {
        case ban, unban, role, yield, approve, decline
    }

    package var kind: Kind {
        switch self {
        case .ban: .ban
        case .unban: .unban
        case .role: .role
        case .yield: .yield
        case .approve: .approve
        case .decline: .decline
        }
    }

    var text: String {
        switch self {
        case .ban, .unban, .decline: kind.rawValue
        case .role(let role, let promotedAt):
            FacetWords.text(kind.rawValue, role.rawValue, FacetWords.word(promotedAt))
        case .yield(let promotedAt): FacetWords.text(kind.rawValue, FacetWords.word(promotedAt))
        case .approve(let position, let isInHome):
            FacetWords.text(kind.rawValue, FacetWords.word(position), FacetWords.word(isInHome: isInHome))
        }
    }

    init(text: String) throws {
        var words = FacetWords(text)
        switch try words.choice(of: Kind.self) {
        case .ban: self = .ban
        case .unban: self = .unban
        case .role: self = .role(try words.choice(), promotedAt: try words.optionalNumber())
        case .yield: self = .yield(promotedAt: try words.number())
        case .approve: self = .approve(position: try words.number(), isInHome: try words.required(FacetWords.isInHome))
        case .decline: self = .decline
        }
        try words.end()
    }
}

extension ReportState {
    var text: String {
        switch self {
        case .open: status.rawValue
        case .claimed(let user): FacetWords.text(status.rawValue, FacetWords.word(user))
        case .resolved(let resolution, let user, let time, let claimant):
            FacetWords.text(
                status.rawValue, resolution.rawValue, FacetWords.word(user), FacetWords.word(time),
                FacetWords.word(claimant))
        }
    }

    init(text: String) throws {
        var words = FacetWords(text)
        switch try words.choice(of: ReportStatus.self) {
        case .open: self = .open
        case .claimed: self = .claimed(by: try words.optionalUser())
        case .resolved:
            self = .resolved(
                try words.choice(), by: try words.optionalUser(), at: try words.number(),
                claimedBy: try words.optionalUser())
        }
        try words.end()
    }

    /// The columns `status`, `claimed_by`, `resolution`, `resolved_by` and `resolved_at`.
    package var columns: [SQLValue] {
        switch self {
        case .open: [.text(status.rawValue), .null, .null, .null, .null]
        case .claimed(let user): [.text(status.rawValue), .optional(user), .null, .null, .null]
        case .resolved(let resolution, let user, let time, let claimant):
            [
                .text(status.rawValue), .optional(claimant), .text(resolution.rawValue), .optional(user),
                .integer(time),
            ]
        }
    }

    /// Decodes ``columns`` from five columns of `row` of which the first is at `column`.
    package init(row: any SQLRow, at column: Int) throws {
        let status = try row.choice(column, of: ReportStatus.self)
        let claimant = row.optionalInteger(column + 1).map(UserID.init(rawValue:))
        let resolution = try row.optionalChoice(column + 2, of: ReportResolution.self)
        let user = row.optionalInteger(column + 3).map(UserID.init(rawValue:))
        let time = row.optionalInteger(column + 4)
        switch (status, resolution, time) {
        case (.open, nil, nil) where claimant == nil && user == nil: self = .open
        case (.claimed, nil, nil) where user == nil: self = .claimed(by: claimant)
        case (.resolved, let resolution?, let time?):
            self = .resolved(resolution, by: user, at: time, claimedBy: claimant)
        default: throw DatabaseError.undecodable(Self.self, status.rawValue)
        }
    }
}

extension AppealState {
    var text: String {
        switch self {
        case .open: status.rawValue
        case .decided(let decision, let user, let time):
            FacetWords.text(decision.rawValue, FacetWords.word(user), FacetWords.word(time))
        }
    }

    init(text: String) throws {
        var words = FacetWords(text)
        switch try words.choice(of: AppealStatus.self) {
        case .open: self = .open
        case .granted: self = .decided(.granted, by: try words.optionalUser(), at: try words.number())
        case .denied: self = .decided(.denied, by: try words.optionalUser(), at: try words.number())
        }
        try words.end()
    }

    /// The columns `status`, `decided_by` and `decided_at`.
    package var columns: [SQLValue] {
        switch self {
        case .open: [.text(status.rawValue), .null, .null]
        case .decided(_, let user, let time): [.text(status.rawValue), .optional(user), .integer(time)]
        }
    }

    /// Decodes ``columns`` from the columns of `row` at these positions.
    package init(row: any SQLRow, status: Int, decidedBy: Int, decidedAt: Int) throws {
        let status = try row.choice(status, of: AppealStatus.self)
        let user = row.optionalInteger(decidedBy).map(UserID.init(rawValue:))
        switch (status, row.optionalInteger(decidedAt)) {
        case (.open, nil) where user == nil: self = .open
        case (.granted, let time?): self = .decided(.granted, by: user, at: time)
        case (.denied, let time?): self = .decided(.denied, by: user, at: time)
        default: throw DatabaseError.undecodable(Self.self, status.rawValue)
        }
    }
}
