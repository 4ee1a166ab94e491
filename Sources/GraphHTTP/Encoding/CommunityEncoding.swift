import Database
import GraphAPI
import SocialGraph

extension JSONWriter {
    mutating func communityMember(_ member: CommunityMember) {
        beginObject()
        self.member("userId", id: member.user.rawValue)
        self.member("username", member.username)
        self.member("role", member.role.rawValue)
        endObject()
    }

    /// A community as one user sees it; `membership` is nil for a non-member.
    package mutating func community(_ community: Community, _ membership: Membership?) {
        beginObject()
        member("communityId", id: community.id.rawValue)
        member("name", community.name)
        member("description", community.description)
        member("createdAt", time: community.createdAt)
        member("membersCount", community.membersCount)
        member("private", community.isPrivate)
        member("locked", community.isLocked)
        member("archived", community.isArchived)
        member("role", membership?.role.rawValue)
        member("inHome", membership?.isInHome ?? false)
        endObject()
    }
}
