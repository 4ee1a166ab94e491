import Audit
import Database
import SocialGraph

extension AuditNote {
    /// Returns the names of changed parts, the community, and the name that people gave, which alone may be cut.
    static func detail(_ name: String, in community: CommunityID?, changes: [String]) -> String {
        let parts = [
            changes.isEmpty ? nil : changes.joined(separator: ", "),
            community.map { "community \($0.rawValue)" }, name,
        ]
        return parts.compactMap(\.self).joined(separator: "; ")
    }
}

extension AuditStore.Writer {
    /// Appends an act of moderation that the modlog does not have, if `user` acts for the site. Communities' own
    /// moderators are not administrators: their acts are not recorded here.
    func appendSiteAct(_ action: AuditAction, by user: UserID, subject: Int64, detail: String? = nil) throws {
        guard try ModerationStore.Reader(transaction).authority(of: user).scope == .site else { return }
        try append(AuditNote(action, by: .user(user), subject: subject, detail: detail))
    }
}
