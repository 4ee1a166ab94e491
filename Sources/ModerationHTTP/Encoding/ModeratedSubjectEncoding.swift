import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Moderation
import SocialGraph
import Timeline

extension JSONWriter {
    mutating func moderatedUser(_ user: ModeratedUser) {
        beginObject()
        moderatedUserMembers(user)
        endObject()
    }

    private mutating func moderatedUserMembers(_ user: ModeratedUser) {
        member("userId", id: user.id.rawValue)
        member("username", user.username)
        member("displayName", user.displayName)
        member("createdAt", time: user.createdAt)
        member("siteRole", user.siteRole?.rawValue)
        member("silencedAt", time: user.silencedAt)
        member("suspendedAt", time: user.suspendedAt)
        member("postsCount", user.postsCount)
        member("followersCount", user.followersCount)
    }

    mutating func moderatedUserCard(_ card: ModeratedUserCard) {
        beginObject()
        moderatedUserMembers(card.user)
        key("strikes")
        beginArray()
        for strike in card.strikes { self.strike(strike) }
        endArray()
        member("reportsOpen", card.reportsOpen)
        member("reportsTotal", card.reportsTotal)
        member("entries", listing: card.entries) { $0.modlogEntry($1) }
        key("communities")
        beginArray()
        for tie in card.communities {
            beginObject()
            member("communityId", id: tie.community.rawValue)
            member("name", tie.name)
            member("role", tie.kind.role?.rawValue)
            member("banned", tie.kind == .banned)
            endObject()
        }
        endArray()
        endObject()
    }

    mutating func moderatedCommunity(_ moderated: ModeratedCommunity) {
        beginObject()
        moderatedCommunityMembers(moderated)
        endObject()
    }

    private mutating func moderatedCommunityMembers(_ moderated: ModeratedCommunity) {
        let community = moderated.community
        member("communityId", id: community.id.rawValue)
        member("name", community.name)
        member("role", moderated.role?.rawValue)
        member("membersCount", community.membersCount)
        member("private", community.isPrivate)
        member("locked", community.isLocked)
        member("archived", community.isArchived)
        member("openReports", moderated.openReports)
        member("held", moderated.held)
    }

    mutating func moderatedCommunityCard(_ card: ModeratedCommunityCard) {
        beginObject()
        moderatedCommunityMembers(card.summary)
        member("description", card.summary.community.description)
        member("createdAt", time: card.summary.community.createdAt)
        key("moderators")
        beginArray()
        for moderator in card.moderators {
            beginObject()
            placeMembers(moderator)
            endObject()
        }
        endArray()
        key("pins")
        posts(card.pins)
        key("featured")
        posts(card.featured)
        member("rulesCount", card.rules)
        member("requestsCount", card.requests)
        endObject()
    }

    private mutating func posts(_ posts: [PostID]) {
        beginArray()
        for post in posts { id(post.rawValue) }
        endArray()
    }

    mutating func moderatedMember(_ member: ModeratedMember) {
        beginObject()
        placeMembers(member)
        self.member("strikes", member.strikes)
        endObject()
    }

    private mutating func placeMembers(_ member: ModeratedMember) {
        self.member("userId", id: member.user.rawValue)
        self.member("username", member.username)
        self.member("role", member.role.rawValue)
        self.member("joinedAt", time: IDSequence.milliseconds(of: member.position))
    }

    mutating func bannedMember(_ ban: BannedMember) {
        beginObject()
        key("user")
        userReference(ban.user, ban.username)
        member("since", time: ban.entry?.createdAt)
        member("endsAt", time: ban.entry?.endsAt)
        member("reason", ban.entry?.reason ?? "")
        member("entryId", id: ban.entry?.id.rawValue)
        endObject()
    }

    /// A user's home timeline, each post with the reasons for its presence.
    mutating func explainedHome(_ home: TimelinePage, _ details: [ItemDetails], _ reasons: [[Reason]]) {
        page(zip(zip(home.items, details), reasons), next: home.next?.rawValue) { json, element in
            json.postMembers(element.0.0.post, element.0.1)
            json.member("why", listing: element.1) { $0.reason($1) }
            json.endObject()
        }
    }
}
