import Database
import SocialGraph

/// The effects that an order adds to one subject. None if the subject is already in the ordered state.
struct ModerationPlan {
    var effects: [(stack: FacetStack, step: FacetStep)] = []
    /// An additional entry to undo.
    var undoes: ModlogEntryID?
    /// Additional details for the modlog.
    var detail: [String: String] = [:]
}

extension ModerationStore.Writer {
    func plan(
        _ order: ModerationOrder, for target: ModerationTarget, by actor: UserID?, _ scope: ModerationScope
    ) throws -> ModerationPlan {
        let id = target.subject.rawValue
        func flag(_ facet: Facet, _ isOn: Bool) throws -> ModerationPlan {
            try planFlag(facet, id, isOn, until: order.endsAt, scope)
        }
        switch order.action {
        case .removePost, .restorePost:
            guard target.community != nil else {
                throw ModerationError.notApplicable("The post is not in a community. Take it down instead.")
            }
            return try flag(.postRemoved, order.action == .removePost)
        case .takedownPost, .reinstatePost: return try flag(.postTakenDown, order.action == .takedownPost)
        case .holdPost, .approvePost: return try flag(.postHeld, order.action == .holdPost)
        case .featurePost, .unfeaturePost:
            try Self.requireCommunity(of: target)
            return try flag(.postFeatured, order.action == .featurePost)
        case .pinPost, .unpinPost:
            try Self.requireCommunity(of: target)
            return try flag(.postPinned, order.action == .pinPost)
        case .removeComment, .restoreComment:
            guard target.community != nil else {
                throw ModerationError.notApplicable("The comment is not in a community. Take it down instead.")
            }
            return try flag(.commentRemoved, order.action == .removeComment)
        case .takedownComment, .reinstateComment:
            return try flag(.commentTakenDown, order.action == .takedownComment)
        case .holdComment, .approveComment: return try flag(.commentHeld, order.action == .holdComment)
        case .banMember, .unbanMember, .setMemberRole, .approveRequest, .declineRequest:
            return try planMembership(order, target, scope)
        case .lockCommunity, .unlockCommunity: return try flag(.communityLocked, order.action == .lockCommunity)
        case .archiveCommunity, .unarchiveCommunity:
            return try flag(.communityArchived, order.action == .archiveCommunity)
        case .makeCommunityPrivate, .makeCommunityPublic:
            return try flag(.communityPrivate, order.action == .makeCommunityPrivate)
        case .renameCommunity: return try planName(order, id)
        case .transferCommunity: return try planTransfer(order, id)
        case .warnUser: return try planStrike(id, in: target.community)
        case .silenceUser: return try flag(.accountSilenced, true)
        case .suspendUser: return try flag(.accountSuspended, true)
        case .reinstateUser:
            let plans = [try flag(.accountSilenced, false), try flag(.accountSuspended, false)]
            return ModerationPlan(effects: plans.flatMap(\.effects))
        case .setSiteRole: return try planSiteRole(order, id, scope)
        case .claimReport, .releaseReport, .resolveReport:
            return try planReport(order, id, by: actor)
        case .decideAppeal: return try planAppeal(order, id, by: actor)
        case .undo, .expire: return ModerationPlan()
        }
    }

    private static func requireCommunity(of target: ModerationTarget) throws {
        guard target.community != nil else { throw ModerationError.notApplicable("The post is not in a community.") }
    }

    /// Plans a change of a flag, a state with the time at which it was set.
    private func planFlag(
        _ facet: Facet, _ id: Int64, _ isOn: Bool, until endsAt: Int64?, _ scope: ModerationScope
    ) throws -> ModerationPlan {
        guard let stack = try FacetStore.Writer(transaction).stack(FacetKey(facet, id)) else { return ModerationPlan() }
        let before = stack.state
        if before.isSet != isOn {
            let since: Int64 =
                switch facet {
                case .postPinned: try transaction.nextID()
                case .communityPrivate: 1
                default: transaction.now
                }
            return ModerationPlan(effects: [(stack, .set(.flag(since: isOn ? since : nil)))])
        }
        guard isOn else { return ModerationPlan() }
        let lasts = stack.lasts(until: endsAt, in: scope, isSameInBase: stack.base.isSet) {
            $0 != .set(.flag(since: nil))
        }
        return ModerationPlan(effects: lasts ? [] : [(stack, .set(before))])
    }

    private func planSiteRole(
        _ order: ModerationOrder, _ id: Int64, _ scope: ModerationScope
    ) throws -> ModerationPlan {
        guard case .siteRole(let role) = order.detail,
            let stack = try FacetStore.Writer(transaction).stack(FacetKey(.accountSiteRole, id))
        else { return ModerationPlan() }
        let state = FacetState.siteRole(role)
        let lasts = stack.lasts(until: order.endsAt, in: scope, isSameInBase: stack.base == state) {
            $0 == .set(state)
        }
        if stack.state == state, lasts { return ModerationPlan() }
        return ModerationPlan(effects: [(stack, .set(state))])
    }

    /// Each warning is a separate strike.
    private func planStrike(_ id: Int64, in community: CommunityID?) throws -> ModerationPlan {
        guard let stack = try FacetStore.Writer(transaction).stack(FacetKey(.strike, id, in: community)) else {
            return ModerationPlan()
        }
        return ModerationPlan(effects: [(stack, .set(.flag(since: 1)))])
    }

    private func planName(_ order: ModerationOrder, _ id: Int64) throws -> ModerationPlan {
        guard case .name(let name) = order.detail,
            let stack = try FacetStore.Writer(transaction).stack(FacetKey(.communityName, id))
        else { return ModerationPlan() }
        guard case .name(let before) = stack.state else { throw stack.key.unfit(stack.state) }
        if before == name { return ModerationPlan() }
        return ModerationPlan(effects: [(stack, .set(.name(name)))], detail: ["before": before])
    }

    // MARK: Membership states

    private func planMembership(
        _ order: ModerationOrder, _ target: ModerationTarget, _ scope: ModerationScope
    ) throws -> ModerationPlan {
        guard let user = target.user, let community = target.community,
            let stack = try FacetStore.Writer(transaction).stack(FacetKey(.membership, user.rawValue, in: community))
        else { return ModerationPlan() }
        let membership = try FacetStore.Reader(transaction).membership(of: user, in: community)
        guard let step = try self.step(order, from: membership) else { return ModerationPlan() }
        switch step {
        case .ban where membership.isBanned:
            let isBanned = try stack.key.membership(in: stack.base).isBanned
            let lasts = stack.lasts(until: order.endsAt, in: scope, isSameInBase: isBanned) { step in
                switch step {
                case .membership(.ban): true
                case .membership(.unban): false
                default: nil
                }
            }
            if lasts { return ModerationPlan() }
        case .role(let role, _) where membership.member?.role == role:
            let base = try stack.key.membership(in: stack.base).member?.role
            let lasts = stack.lasts(until: order.endsAt, in: scope, isSameInBase: base == role) { step in
                guard case .membership(.role(let other, _)) = step else { return nil }
                return other == role
            }
            if lasts { return ModerationPlan() }
        case .ban, .unban, .role:
            let membership = try stack.key.membership(in: stack.state)
            if membership == membership.after(step) { return ModerationPlan() }
        case .yield: break
        case .approve:
            guard try !CommunityStore.Reader(transaction).community(community).isArchived else {
                throw GraphError.communityArchived
            }
            try BlockAndMuteStore.Reader(transaction).requireRoom(
                "SELECT COUNT(*) FROM community_member WHERE user_id = ?1", [.user(user)],
                below: SocialGraphLimits.joinedCommunities, "joined communities")
        case .decline: break
        }
        return ModerationPlan(effects: [(stack, .membership(step))])
    }

    /// The step from the membership state to the ordered one; nil if there is nothing to change.
    private func step(_ order: ModerationOrder, from membership: MembershipState) throws -> MembershipStep? {
        switch order.action {
        case .banMember:
            guard membership.member?.role != .owner else { throw GraphError.ownerCannotLeave }
            return .ban
        case .unbanMember: return .unban
        case .setMemberRole:
            guard case .memberRole(let role) = order.detail else { return nil }
            guard let member = membership.member else {
                throw ModerationError.notApplicable("This user is not a member of the community.")
            }
            guard member.role != .owner else { throw GraphError.ownerCannotLeave }
            let isSame = member.role == role
            let promotedAt = isSame ? member.promotedAt : role == .member ? nil : try transaction.nextID()
            return .role(role, promotedAt: promotedAt)
        case .approveRequest:
            guard !membership.isBanned else { throw GraphError.bannedFromCommunity }
            if membership.member != nil { return nil }
            guard membership.request != nil else { throw GraphError.joinRequestNotFound }
            return .approve(position: try transaction.nextID())
        default:
            guard membership.request != nil else { throw GraphError.joinRequestNotFound }
            return .decline
        }
    }

    /// The previous owner becomes a moderator.
    private func planTransfer(_ order: ModerationOrder, _ id: Int64) throws -> ModerationPlan {
        let community = CommunityID(rawValue: id)
        guard case .successor(let successor) = order.detail else { return ModerationPlan() }
        let owner = try FacetStore.Reader(transaction).owner(of: community)
        if owner == successor { return ModerationPlan() }
        let membership = try FacetStore.Reader(transaction).membership(of: successor, in: community)
        guard membership.member != nil, try AccountStore.Reader(transaction).exists(successor) else {
            throw ModerationError.notApplicable("The successor must be a member of the community.")
        }
        var plan = ModerationPlan()
        func add(_ key: FacetKey, _ step: FacetStep) throws {
            if let stack = try FacetStore.Writer(transaction).stack(key) { plan.effects.append((stack, step)) }
        }
        try add(FacetKey(.communityOwner, id), .set(.owner(successor)))
        let promotedAt = try transaction.nextID()
        if let owner {
            try add(FacetKey(.membership, owner.rawValue, in: community), .membership(.yield(promotedAt: promotedAt)))
            plan.detail["before"] = String(owner.rawValue)
        }
        try add(
            FacetKey(.membership, successor.rawValue, in: community), .membership(.role(.owner, promotedAt: promotedAt))
        )
        return plan
    }

    // MARK: Cases

    private func planReport(_ order: ModerationOrder, _ id: Int64, by actor: UserID?) throws -> ModerationPlan {
        guard let stack = try FacetStore.Writer(transaction).stack(FacetKey(.report, id)) else {
            return ModerationPlan()
        }
        guard case .report(let state) = stack.state else { throw stack.key.unfit(stack.state) }
        let next: ReportState?
        switch (order.action, order.detail, state) {
        case (_, _, .resolved): throw ModerationError.alreadyDecided
        case (.claimReport, _, .open): next = .claimed(by: actor)
        case (.claimReport, _, .claimed(let holder)):
            guard holder == actor else { throw ModerationError.claimedByAnother }
            next = nil
        case (.releaseReport, _, .claimed): next = .open
        case (.resolveReport, .resolution(let resolution), _):
            if case .claimed(let holder) = state, let actor, holder != actor { throw ModerationError.claimedByAnother }
            next = .resolved(resolution, by: actor, at: transaction.now, claimedBy: state.claimedBy)
        default: next = nil
        }
        return ModerationPlan(effects: next.map { [(stack, .set(.report($0)))] } ?? [])
    }

    private func planAppeal(_ order: ModerationOrder, _ id: Int64, by actor: UserID?) throws -> ModerationPlan {
        guard let stack = try FacetStore.Writer(transaction).stack(FacetKey(.appeal, id)),
            case .decision(let decision) = order.detail
        else { return ModerationPlan() }
        guard stack.state == .appeal(.open) else { throw ModerationError.alreadyDecided }
        let next = AppealState.decided(decision, by: actor, at: transaction.now)
        var plan = ModerationPlan(effects: [(stack, .set(.appeal(next)))])
        if decision == .granted {
            plan.undoes = try transaction.first("SELECT seq FROM appeal WHERE id = ?1", [.integer(id)]) {
                ModlogEntryID(rawValue: $0.integer(0))
            }
        }
        return plan
    }
}
