import Database
import SocialGraph

extension ModerationOrder {
    /// Checks the order's fields. Throws ``ModerationError/invalidOrder(field:_:)`` with the field's name in JSON.
    func check(now: Int64) throws {
        func require(_ holds: Bool, _ field: String, _ why: String) throws {
            guard holds else { throw ModerationError.invalidOrder(field: field, why) }
        }
        try require(ModerationAction.orderable.contains(action), "action", "\(action.rawValue) cannot be ordered.")
        try checkSubjects(require)
        try checkCommunity(require)
        let limits = (reason: ModerationLimits.moderationReasonLength, note: ModerationLimits.moderationNoteLength)
        try require(!reason.allSatisfy(\.isWhitespace), "reason", "State a reason.")
        try require(
            reason.unicodeScalars.count <= limits.reason, "reason",
            "A reason has at most \(limits.reason) characters.")
        try require(
            (note ?? "").unicodeScalars.count <= limits.note, "note",
            "A note has at most \(limits.note) characters.")
        if let endsAt {
            try require(action.canExpire, "expiresAt", "\(action.rawValue) does not end by itself.")
            try require(endsAt > now, "expiresAt", "Name a time that is to come.")
        }
        try checkDetail(require)
    }

    private typealias Require = (Bool, String, String) throws -> Void

    private func checkSubjects(_ require: Require) throws {
        let limit = ModerationLimits.subjectsPerOrder
        try require(1...limit ~= subjects.count, "subjects", "Name 1 to \(limit) subjects.")
        try require(
            subjects.allSatisfy { $0.kind == action.subjectKind }, "subjects",
            "\(action.rawValue) is done to subjects of the kind \(action.subjectKind.rawValue).")
        let isSingle = action == .renameCommunity || action == .transferCommunity
        try require(!isSingle || subjects.count == 1, "subjects", "\(action.rawValue) takes one community.")
    }

    private func checkCommunity(_ require: Require) throws {
        if action.needsCommunity {
            try require(community != nil, "communityId", "\(action.rawValue) needs the community.")
        }
        let takesCommunity =
            action.needsCommunity || action == .warnUser || action.subjectKind == .post
            || action.subjectKind == .comment
        try require(community == nil || takesCommunity, "communityId", "\(action.rawValue) takes no community.")
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
                "A name has 1 to \(limit) characters.")
        }
    }

    private var detailHint: String {
        switch action {
        case .setMemberRole: "Name the role: moderator or member. The owner changes by transferCommunity."
        case .setSiteRole: "Name the role: admin, moderator or none."
        case .renameCommunity: "Name the community's new name."
        case .transferCommunity: "Name the successor."
        case .resolveReport: "Name the resolution: actioned or dismissed."
        case .decideAppeal: "Name the decision: granted or denied."
        default: "\(action.rawValue) does not take this."
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
