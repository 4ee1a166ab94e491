import Database
import GraphAPI
import SocialGraph

extension JSONWriter {
    mutating func communityMember(_ member: CommunityMember) {
        beginObject()
        key("userId")
        id(member.user.rawValue)
        key("username")
        string(member.username)
        key("role")
        string(member.role.rawValue)
        endObject()
    }

    /// A community as one user sees it; `membership` is nil for somebody who is no member.
    package mutating func community(_ community: Community, _ membership: Membership?) {
        beginObject()
        key("communityId")
        id(community.id.rawValue)
        key("name")
        string(community.name)
        key("description")
        string(community.description)
        key("createdAt")
        timestamp(milliseconds: community.createdAt)
        key("membersCount")
        integer(community.membersCount)
        key("private")
        bool(community.isPrivate)
        key("locked")
        bool(community.isLocked)
        key("archived")
        bool(community.isArchived)
        key("role")
        string(membership?.role.rawValue)
        key("inHome")
        bool(membership?.isInHome ?? false)
        endObject()
    }
}
