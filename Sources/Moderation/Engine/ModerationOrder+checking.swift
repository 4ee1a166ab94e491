import Database
import SocialGraph

extension ModerationOrder {
    /// Checks the order's fields. Throws ``ModerationError/invalidOrder(field:_:)`` with the field's name in JSON.
    func check(now: Int64) throws {
        func require(_ holds: Bool, _ field: String, _ why: String) throws {
            guard holds else { throw ModerationError.invalidOrder(field: field, why) }
        }
        try require(
            ModerationAction.orderable.contains(action), "action", "The action \(action.rawValue) cannot be ordered.")
        try checkSubjects(require)
        try checkCommunity(require)
        let limits = (reason: ModerationLimits.moderationReasonLength, note: ModerationLimits.moderationNoteLength)
        try require(!reason.allSatisfy(\.isWhitespace), "reason", "The reason must not be blank.")
        try require(
            reason.unicodeScalars.count <= limits.reason, "reason",
            "A reason may have at most \(limits.reason) characters.")
        try require(
            (note ?? "").unicodeScalars.count <= limits.note, "note",
            "A note may have at most \(limits.note) characters.")
        if let endsAt {
            try require(action.canExpire, "expiresAt", "The action \(action.rawValue) cannot expire.")
            try require(endsAt > now, "expiresAt", "The end must be in the future.")
        }
        try checkDetail(require)
    }

    private typealias Require = (Bool, String, String) throws -> Void

    private func checkSubjects(_ require: Require) throws {
        let limit = ModerationLimits.subjectsPerOrder
        try require(
            1...limit ~= subjects.count, "subjects", "An order must have 1 to \(limit) subjects; got \(subjects.count)."
        )
        try require(
            subjects.allSatisfy { $0.kind == action.subjectKind }, "subjects",
            "The action \(action.rawValue) applies to subjects of the kind \(action.subjectKind.rawValue).")
        let isSingle = action == .renameCommunity || action == .transferCommunity
        try require(
            !isSingle || subjects.count == 1, "subjects", "The action \(action.rawValue) takes exactly one community.")
    }

    private func checkCommunity(_ require: Require) throws {
        if action.needsCommunity {
            try require(community != nil, "communityId", "The action \(action.rawValue) requires a community.")
        }
        let takesCommunity =
            action.needsCommunity || action == .warnUser || action.subjectKind == .post
            || action.subjectKind == .comment
        try require(
            community == nil || takesCommunity, "communityId", "The action \(action.rawValue) takes no community.")
    }

    private func checkDetail(_ require: Require) throws {
        let isRight =
            switch (action, detail) {
            case (.setMemberRole, .memberRole(let role)): role != .owner
            case (.setSiteRole, .siteRole), (.renameCommunity, .name), (.transferCommunity, .successor),
                (.resolveReport, .resolution), (.decideAppeal, .decision):
                true
            case (_, let detail): detail == nil && !action.needsDetail
            }
        try require(isRight, (action.needsDetail ? action : detail?.action ?? action).detailField, detailHint)
        if case .name(let name) = detail {
            let limit = SocialGraphLimits.communityNameLength
            try require(
                !name.allSatisfy(\.isWhitespace) && name.unicodeScalars.count <= limit, "name",
                "A name must have 1 to \(limit) characters.")
        }
    }

    private var detailHint: String {
        switch action {
        case .setMemberRole: "The role must be moderator or member. To change the owner, use transferCommunity."
        case .setSiteRole: "The role must be admin, moderator or none."
        case .renameCommunity: "The community's new name is required."
        case .transferCommunity: "The successor is required."
        case .resolveReport: "The resolution must be actioned or dismissed."
        case .decideAppeal: "The decision must be granted or denied."
        default: "The action \(action.rawValue) does not take this field."
        }
    }
}

extension ModerationAction {
    fileprivate var needsDetail: Bool { detailField != "action" }

    /// The name in JSON.
    fileprivate var detailField: String {
        switch self {
        case .setMemberRole, .setSiteRole: "role"
        case .renameCommunity: "name"
        case .transferCommunity: "successorId"
        case .resolveReport: "resolution"
        case .decideAppeal: "decision"
        default: "action"
        }
    }
}

extension ModerationOrder.Detail {
    /// The action that takes the detail.
    fileprivate var action: ModerationAction {
        switch self {
        case .memberRole: .setMemberRole
        case .siteRole: .setSiteRole
        case .name: .renameCommunity
        case .successor: .transferCommunity
        case .resolution: .resolveReport
        case .decision: .decideAppeal
        }
    }

    /// The detail as written to the modlog.
    var logged: [String: String] {
        switch self {
        case .memberRole(let role): ["role": role.rawValue]
        case .siteRole(let role): ["role": role?.rawValue ?? "none"]
        case .name(let name): ["name": name]
        case .successor(let user): ["successorId": String(user.rawValue)]
        case .resolution(let resolution): ["resolution": resolution.rawValue]
        case .decision(let decision): ["decision": decision.rawValue]
        }
    }
}
