import Database
import GraphHTTP
import GraphServices
import Moderation
import SocialGraph

/// The body of `POST /v1/moderation/actions`.
struct ModerationOrderBody {
    let order: ModerationOrder
    let isDryRun: Bool

    /// Longest duration, in seconds: a hundred years.
    private static let longest: Int64 = 100 * 366 * 24 * 3_600

    /// {action, subjects: [{postId}|…], communityId?, reason, note?, expiresAt? or duration?, role?, name?,
    /// successorId?, resolution?, decision?, dryRun?}. `now`: milliseconds since 1970.
    init(_ bytes: [UInt8], now: Int64) throws {
        var body = try StrictObject(bytes)
        let action = try body.choice("action", of: ModerationAction.orderable)
        let subjects = try body.objects("subjects", maxCount: ModerationLimits.subjectsPerOrder) { try $0.subject() }
        let community = try body.optionalID("communityId").map(CommunityID.init(rawValue:))
        let reason = try body.string("reason", maxLength: ModerationLimits.moderationReasonLength)
        let note = try body.optionalText("note", maxLength: ModerationLimits.moderationNoteLength)
        let endsAt = try Self.end(&body, now: now)
        let detail = try Self.detail(&body, of: action)
        isDryRun = try body.optionalBool("dryRun") ?? false
        try body.end()
        order = ModerationOrder(
            action, subjects, community: community, reason: reason, note: note, endsAt: endsAt, detail: detail)
    }

    private static func end(_ body: inout StrictObject, now: Int64) throws -> Int64? {
        let time = try body.optionalTime("expiresAt")
        let duration = try body.optionalInteger("duration", in: 1...longest)
        guard time == nil || duration == nil else {
            throw Problem(
                .invalidOrder, "Give \"expiresAt\" or \"duration\" (in seconds), not both.", field: "duration")
        }
        return time ?? duration.map { now + $0 * 1_000 }
    }

    private enum Role: String, CaseIterable {
        case admin, moderator, member, none
    }

    /// Reads one detail. If there are several, the engine refuses those that the action does not accept.
    private static func detail(
        _ body: inout StrictObject, of action: ModerationAction
    ) throws -> ModerationOrder.Detail? {
        let role = try body.optionalChoice("role", of: Role.allCases)
        let name = try body.optionalString("name", maxLength: SocialGraphLimits.communityNameLength)
        if let name { _ = try TextRules.title(name, field: "name", maxLength: SocialGraphLimits.communityNameLength) }
        let successor = try body.optionalID("successorId").map(UserID.init(rawValue:))
        let resolution = try body.optionalChoice("resolution", of: ReportResolution.allCases)
        let decision = try body.optionalChoice("decision", of: AppealDecision.allCases)
        let given: [(field: String, detail: ModerationOrder.Detail)] = [
            role.map { ("role", detail(of: $0, action)) }, name.map { ("name", .name($0)) },
            successor.map { ("successorId", .successor($0)) }, resolution.map { ("resolution", .resolution($0)) },
            decision.map { ("decision", .decision($0)) },
        ].compactMap(\.self)
        guard given.count <= 1 else {
            throw Problem(
                .invalidOrder,
                "\(action.rawValue) does not take both of \"\(given[0].field)\" and "
                    + "\"\(given[1].field)\".", field: given[1].field)
        }
        return given.first?.detail
    }

    private static func detail(of role: Role, _ action: ModerationAction) -> ModerationOrder.Detail {
        switch (action, role) {
        case (.setMemberRole, .moderator): .memberRole(.moderator)
        case (.setMemberRole, .member): .memberRole(.member)
        // Not a member's role: the engine refuses it.
        case (.setMemberRole, _): .siteRole(nil)
        case (_, .member): .memberRole(.member)
        case (_, .none): .siteRole(nil)
        case (_, .admin): .siteRole(.admin)
        case (_, .moderator): .siteRole(.moderator)
        }
    }
}
