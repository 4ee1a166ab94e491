@testable import SocialGraph

/// Blocks, mutes, topics, communities and hubs of the model.
extension ReferenceGraph {
    func isBlocked(_ one: UserID, _ other: UserID) -> Bool {
        blocks[one, default: []].contains(other) || blocks[other, default: []].contains(one)
    }

    mutating func block(_ blocker: UserID, _ blocked: UserID) -> Bool {
        guard !blocks[blocker, default: []].contains(blocked) else { return false }
        blocks[blocker, default: []].append(blocked)
        if defect != .blockKeepsFollows {
            _ = unfollow(blocker, blocked)
            _ = unfollow(blocked, blocker)
        }
        if defect != .blockKeepsCollaborations { part(blocker, blocked) }
        return true
    }

    private mutating func part(_ blocker: UserID, _ blocked: UserID) {
        for post in posts {
            if post.author == blocker { endCollaboration(of: blocked, on: post.id) }
            if post.author == blocked || post.collaborators[blocked] != nil {
                endCollaboration(of: blocker, on: post.id)
            }
        }
    }

    mutating func unblock(_ blocker: UserID, _ blocked: UserID) -> Bool {
        guard blocks[blocker, default: []].contains(blocked) else { return false }
        blocks[blocker]?.removeAll { $0 == blocked }
        if defect == .unblockRestoresFollows, everFollowed[blocker, default: []].contains(blocked) {
            _ = try? follow(blocker, blocked)
        }
        return true
    }

    /// The mutes of `muter` that hold.
    func heldMutes(of muter: UserID) -> [Mute] {
        mutes[muter, default: []].filter { defect == .mutesNeverEnd || $0.expiresAt.map { $0 > now } ?? true }
    }

    func muted(_ muter: UserID, _ muted: UserID) -> MuteKinds {
        heldMutes(of: muter).first { $0.user == muted }?.kinds ?? []
    }

    /// A mute as it is stored, also if it has expired: windows follow it.
    func storedMute(_ muter: UserID, _ muted: UserID) -> Mute? {
        mutes[muter, default: []].first { $0.user == muted }
    }

    mutating func removeExpiredMutes() {
        for (muter, list) in mutes { mutes[muter] = list.filter { $0.expiresAt.map { $0 > now } ?? true } }
    }

    mutating func mute(_ muter: UserID, _ user: UserID, _ kinds: MuteKinds, until expiresAt: Int64? = nil) -> Bool {
        let stored = storedMute(muter, user)
        guard stored?.kinds ?? [] != kinds || !kinds.isEmpty && stored?.expiresAt != expiresAt else { return false }
        if kinds.isEmpty {
            mutes[muter]?.removeAll { $0.user == user }
        } else if let index = mutes[muter]?.firstIndex(where: { $0.user == user }) {
            mutes[muter]?[index].kinds = kinds
            mutes[muter]?[index].expiresAt = expiresAt
        } else {
            mutes[muter, default: []].append(Mute(user: user, kinds: kinds, expiresAt: expiresAt))
        }
        return true
    }

    // MARK: Topics

    mutating func followTopic(_ name: String, by user: UserID, isInHome: Bool) {
        if let index = topics[user]?.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
            topics[user]?[index].isInHome = isInHome
        } else {
            topics[user, default: []].append((name, isInHome))
        }
    }

    mutating func unfollowTopic(_ name: String, by user: UserID) -> Bool {
        let before = topics[user, default: []].count
        topics[user]?.removeAll { $0.name.lowercased() == name.lowercased() }
        return topics[user, default: []].count < before
    }

    // MARK: Communities

    private mutating func change<T>(_ id: CommunityID, _ body: (inout Group) throws -> T) throws -> T {
        guard var community = communities[id] else { throw GraphError.communityNotFound }
        defer { communities[id] = community }
        return try body(&community)
    }

    mutating func add(_ id: CommunityID, by owner: UserID, isPrivate: Bool) {
        communities[id] = Group(
            isPrivate: isPrivate, members: [owner: Membership(community: id, role: .owner, isInHome: true)],
            joined: [owner])
    }

    mutating func setPrivate(_ isPrivate: Bool, _ id: CommunityID) throws {
        try change(id) { $0.isPrivate = isPrivate }
    }

    mutating func join(_ id: CommunityID, by user: UserID) throws -> Bool {
        let (suspended, archiveIsIgnored) = (suspended, defect == .archiveIsIgnored)
        return try change(id) { community in
            if community.members[user] != nil { return false }
            guard !community.banned.contains(user) else { throw GraphError.bannedFromCommunity }
            guard !community.isArchived || archiveIsIgnored else { throw GraphError.communityArchived }
            // A private community without an owner or moderator cannot admit anybody. That happens when its owner
            // leaves it empty.
            let isHeaded = community.members.contains { $1.role.isModerating && !suspended.contains($0) }
            guard !community.isPrivate || isHeaded else { return false }
            community.members[user] = Membership(community: id, role: .member, isInHome: true)
            community.joined.append(user)
            return true
        }
    }

    mutating func leave(_ id: CommunityID, by user: UserID) throws -> Bool {
        try change(id) { community in
            guard let member = community.members[user] else { return false }
            guard member.role != .owner else { throw GraphError.ownerCannotLeave }
            community.members[user] = nil
            return true
        }
    }

    mutating func setCommunity(_ id: CommunityID, isInHome: Bool, for user: UserID) throws {
        try change(id) { community in
            guard let member = community.members[user] else { throw GraphError.notMember }
            community.members[user] = Membership(community: id, role: member.role, isInHome: isInHome)
        }
    }

    mutating func setLocked(_ isLocked: Bool, _ id: CommunityID) throws { try change(id) { $0.isLocked = isLocked } }

    mutating func setBanned(_ isBanned: Bool, _ user: UserID, from id: CommunityID) throws {
        try change(id) { community in
            guard !isBanned || community.members[user]?.role != .owner else { throw GraphError.ownerCannotLeave }
            if isBanned {
                guard community.banned.insert(user).inserted else { return }
                community.ended[user] = community.members.removeValue(forKey: user)
            } else if community.banned.remove(user) != nil {
                community.members[user] = community.ended.removeValue(forKey: user)
            }
        }
    }

    mutating func setRole(_ role: CommunityRole, of user: UserID, in id: CommunityID) throws {
        try change(id) { community in
            guard let before = community.members[user] else { throw GraphError.notMember }
            guard before.role != .owner, role != .owner else { throw GraphError.ownerCannotLeave }
            community.members[user] = Membership(community: id, role: role, isInHome: before.isInHome)
        }
    }

    mutating func setPinned(_ isPinned: Bool, _ post: PostID, in id: CommunityID) throws {
        guard self.post(post)?.community == id else { throw GraphError.postNotFound }
        try change(id) { community in
            if isPinned, community.pins.contains(post) { return }
            let others = community.pins.filter { $0 != post }
            guard !isPinned || others.count < SocialGraphLimits.pinsPerCommunity else {
                throw GraphError.limitReached("\(SocialGraphLimits.pinsPerCommunity) pinned posts")
            }
            community.pins = others + (isPinned ? [post] : [])
        }
    }

    mutating func setRemoved(_ isRemoved: Bool, _ post: PostID) throws {
        let index = try index(of: post)
        guard posts[index].community != nil else { throw GraphError.postNotFound }
        posts[index].isRemoved = isRemoved
    }

    mutating func setHeld(_ isHeld: Bool, _ post: PostID) throws { posts[try index(of: post)].isHeld = isHeld }

    mutating func setArchived(_ isArchived: Bool, _ id: CommunityID) throws {
        try change(id) { $0.isArchived = isArchived }
    }

    mutating func setTakenDown(_ isTakenDown: Bool, _ post: PostID) throws {
        posts[try index(of: post)].isTakenDown = isTakenDown
    }

    // MARK: Hubs

    mutating func setHubThreshold(_ threshold: Int64) {
        hubThreshold = threshold
        for user in users { updateHub(user) }
    }

    mutating func updateHub(_ user: UserID) {
        let count = Int64(followers[user, default: []].count)
        let isAbove = hubThreshold > 0 && count > hubThreshold
        let share = defect == .hubsReturnAtTheThreshold ? 100 : HubStore.returnPercent
        if isAbove {
            hubs[user] = .pulled
        } else if hubs[user] == .pulled, hubThreshold == 0 || count * 100 < hubThreshold * share {
            hubs[user] = .returning
        }
    }

    func isPulled(_ user: UserID) -> Bool {
        switch hubs[user] {
        case .pulled: defect != .hubsArePushed
        case .returning: defect == .returningIsPulled
        case nil: false
        }
    }
}
