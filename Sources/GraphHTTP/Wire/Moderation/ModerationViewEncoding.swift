import Database
import GraphAPI
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
        key("userId")
        id(user.id.rawValue)
        key("username")
        string(user.username)
        key("displayName")
        string(user.displayName)
        key("createdAt")
        timestamp(milliseconds: user.createdAt)
        key("siteRole")
        string(user.siteRole?.rawValue)
        key("silencedAt")
        optionalTimestamp(user.silencedAt)
        key("suspendedAt")
        optionalTimestamp(user.suspendedAt)
        key("postsCount")
        integer(user.postsCount)
        key("followersCount")
        integer(user.followersCount)
    }

    mutating func moderatedUserCard(_ card: ModeratedUserCard) {
        beginObject()
        moderatedUserMembers(card.user)
        key("strikes")
        beginArray()
        for strike in card.strikes { self.strike(strike) }
        endArray()
        key("reportsOpen")
        integer(card.reportsOpen)
        key("reportsTotal")
        integer(card.reportsTotal)
        key("entries")
        beginArray()
        for entry in card.entries { modlogEntry(entry) }
        endArray()
        key("communities")
        beginArray()
        for tie in card.communities {
            beginObject()
            key("communityId")
            id(tie.community.rawValue)
            key("name")
            string(tie.name)
            key("role")
            string(tie.kind.role?.rawValue)
            key("banned")
            bool(tie.kind == .banned)
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
        key("communityId")
        id(community.id.rawValue)
        key("name")
        string(community.name)
        key("role")
        string(moderated.role?.rawValue)
        key("membersCount")
        integer(community.membersCount)
        key("private")
        bool(community.isPrivate)
        key("locked")
        bool(community.isLocked)
        key("archived")
        bool(community.isArchived)
        key("openReports")
        integer(moderated.openReports)
        key("held")
        integer(moderated.held)
    }

    mutating func moderatedCommunityCard(_ card: ModeratedCommunityCard) {
        beginObject()
        moderatedCommunityMembers(card.summary)
        key("description")
        string(card.summary.community.description)
        key("createdAt")
        timestamp(milliseconds: card.summary.community.createdAt)
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
        key("rulesCount")
        integer(card.rules)
        key("requestsCount")
        integer(card.requests)
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
        key("strikes")
        integer(member.strikes)
        endObject()
    }

    private mutating func placeMembers(_ member: ModeratedMember) {
        key("userId")
        id(member.user.rawValue)
        key("username")
        string(member.username)
        key("role")
        string(member.role.rawValue)
        key("joinedAt")
        timestamp(milliseconds: IDSequence.milliseconds(of: member.position))
    }

    mutating func bannedMember(_ ban: BannedMember) {
        beginObject()
        key("user")
        userReference(ban.user, ban.username)
        key("since")
        optionalTimestamp(ban.entry?.createdAt)
        key("endsAt")
        optionalTimestamp(ban.entry?.endsAt)
        key("reason")
        string(ban.entry?.reason ?? "")
        key("entryId")
        optionalID(ban.entry?.id.rawValue)
        endObject()
    }

    /// Somebody's home, each post with why it is there.
    mutating func explainedHome(_ page: TimelinePage, _ reasons: [[Reason]]) {
        beginObject()
        key("items")
        beginArray()
        for (item, why) in zip(page.items, reasons) {
            postMembers(item.post)
            key("why")
            beginArray()
            for reason in why { self.reason(reason) }
            endArray()
            endObject()
        }
        endArray()
        key("nextCursor")
        optionalID(page.next?.rawValue)
        endObject()
    }
}
