import Database

/// A group of notifications as it is stored.
package struct StoredGroup {
    let id: Int64
    let latest: Int64
    let actors: Int64
    let isOpen: Bool

    package init(id: Int64, latest: Int64, actors: Int64, isOpen: Bool) {
        self.id = id
        self.latest = latest
        self.actors = actors
        self.isOpen = isOpen
    }
}

/// The visible part of a group. Acts of users whom moderators hide are not counted. They count again once shown again,
/// because nothing stored changes.
extension NotificationStore.Reader {
    /// The group as it is shown; nil: all of it was withdrawn.
    package func group(_ stored: StoredGroup, of user: UserID) throws -> NotificationGroup? {
        guard let newest = try notification(stored.latest) else { return nil }
        let isSmall = stored.actors <= Self.smallGroup
        var actors: [UserReference] = []
        var latest: Int64?
        var looked = 0
        // Only the newest of a group: a user who comments a lot counts once.
        try reader.forEach(Self.latestActorsQuery, [.integer(stored.id)]) { row in
            looked += 1
            if row.integer(3) == 0 {
                latest = latest ?? row.integer(0)
                let actor = UserReference(id: UserID(rawValue: row.integer(1)), username: row.text(2))
                if !actors.contains(actor) { actors.append(actor) }
            }
            return looked < Self.actsLookedThrough && (isSmall || actors.count < NotificationGroup.actorsShown)
        }
        var count = Int64(actors.count)
        if !isSmall || looked == Self.actsLookedThrough, count > 0 {
            let hidden = try reader.rows(Self.hiddenActorsQuery, [.integer(stored.id), .user(user)]) { $0.integer(0) }
            count = max(stored.actors - Int64(hidden.count), count)
        }
        return NotificationGroup(
            id: stored.id, kind: newest.kind, post: newest.post, place: stored.latest,
            latest: try latest.flatMap { try notification($0) } ?? newest,
            actors: Array(actors.prefix(NotificationGroup.actorsShown)), actorsCount: count, isRead: !stored.isOpen)
    }

    /// Largest number of actors for which a group is searched as a whole.
    private static let smallGroup: Int64 = 50
    private static let actsLookedThrough = 200

    static let latestActorsQuery = """
        SELECT n.id, n.actor_id, a.username, CASE WHEN \(hiddenAct) THEN 1 ELSE 0 END
        FROM notification n JOIN account a ON a.id = n.actor_id LEFT JOIN comment c ON c.id = n.comment_id
        WHERE n.group_id = ?1 ORDER BY n.id DESC
        """

    /// A condition: moderators hide the notification `n` of an act by `a`, of a comment `c` or not.
    static let hiddenAct = """
        a.suspended_at IS NOT NULL OR c.held_at IS NOT NULL OR c.removed_at IS NOT NULL OR c.taken_down_at IS NOT NULL
            OR a.silenced_at IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM follow f WHERE f.follower_id = n.user_id AND f.followee_id = n.actor_id)
        """

    /// Goes through the suspended and the silenced users; there are few.
    static let hiddenActorsQuery = """
        SELECT a.id FROM account a WHERE a.suspended_at IS NOT NULL
            AND EXISTS (SELECT 1 FROM notification n WHERE n.group_id = ?1 AND n.actor_id = a.id)
        UNION ALL
        SELECT a.id FROM account a WHERE a.silenced_at IS NOT NULL AND a.suspended_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM follow f WHERE f.follower_id = ?2 AND f.followee_id = a.id)
            AND EXISTS (SELECT 1 FROM notification n WHERE n.group_id = ?1 AND n.actor_id = a.id)
        """
}
