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
        try groups([stored], of: user)[0]
    }

    /// The groups as they are shown, each nil if all of it was withdrawn, in at most three round trips.
    package func groups(_ stored: [StoredGroup], of user: UserID) throws -> [NotificationGroup?] {
        var shown = stored.map(ShownActs.init)
        let queries = stored.flatMap { group in
            [Self.notificationQuery(group.latest), SQLQuery(Self.latestActorsQuery, [.integer(group.id)])]
        }
        try reader.fetch(queries) { index, row in
            if index.isMultiple(of: 2) {
                shown[index / 2].newest = try Notification(row: row)
                return false
            }
            return shown[index / 2].add(row)
        }
        let unsearched = shown.indices.filter { shown[$0].mayHaveOtherActors }
        let hidden = try reader.rows(
            of: unsearched.map { SQLQuery(Self.hiddenActorsQuery, [.integer(shown[$0].stored.id), .user(user)]) }
        ) { $0.integer(0) }
        for (index, hidden) in zip(unsearched, hidden) { shown[index].hiddenActors = Int64(hidden.count) }
        let older = shown.indices.filter { shown[$0].isNewestHidden }
        let latest = try reader.first(
            of: older.compactMap { shown[$0].latest }.map(Self.notificationQuery), Notification.init(row:))
        for (index, latest) in zip(older, latest) { shown[index].shownLatest = latest }
        return shown.map(\.group)
    }

    static let latestActorsQuery = """
        SELECT n.id, n.actor_id, a.username, CASE WHEN \(hiddenAct) THEN 1 ELSE 0 END
        FROM notification n JOIN account a ON a.id = n.actor_id LEFT JOIN comment c ON c.id = n.comment_id
        WHERE n.group_id = ?1 ORDER BY n.id DESC LIMIT \(ShownActs.lookedThrough)
        """

    /// A condition: moderators hide the notification `n` of an act by `a`, of a comment `c` or not.
    static let hiddenAct = """
        a.suspended_at IS NOT NULL AND n.actor_id <> n.user_id
            OR c.held_at IS NOT NULL OR c.removed_at IS NOT NULL OR c.taken_down_at IS NOT NULL
            OR a.silenced_at IS NOT NULL AND n.actor_id <> n.user_id AND (
                SELECT 1 FROM follow f WHERE f.follower_id = n.user_id AND f.followee_id = n.actor_id) IS NULL
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

/// The facts about a group that have been read so far.
private struct ShownActs {
    /// Largest number of actors for which a group is searched as a whole.
    private static let smallGroup: Int64 = 50
    static let lookedThrough = 200

    let stored: StoredGroup
    /// The newest act, hidden or not; nil: all acts were withdrawn.
    var newest: Notification?
    /// The newest act that is not hidden.
    private(set) var latest: Int64?
    var shownLatest: Notification?
    /// The number of actors whom moderators hide, if not all acts were examined.
    var hiddenActors: Int64 = 0
    private var actors: [UserReference] = []
    private var looked = 0

    init(_ stored: StoredGroup) { self.stored = stored }

    private var isSmall: Bool { stored.actors <= Self.smallGroup }

    /// Adds the next act, newest first; false: no more are needed.
    mutating func add(_ row: any SQLRow) -> Bool {
        looked += 1
        if row.integer(3) == 0 {
            latest = latest ?? row.integer(0)
            // Only the newest of a group: a user who comments a lot counts once.
            let actor = UserReference(id: UserID(rawValue: row.integer(1)), username: row.text(2))
            if !actors.contains(actor) { actors.append(actor) }
        }
        return looked < Self.lookedThrough && (isSmall || actors.count < NotificationGroup.actorsShown)
    }

    /// There may be actors besides those of the examined acts.
    var mayHaveOtherActors: Bool {
        newest != nil && (!isSmall || looked == Self.lookedThrough) && !actors.isEmpty
    }

    var isNewestHidden: Bool { newest != nil && latest != nil && latest != newest?.id }

    var group: NotificationGroup? {
        guard let newest else { return nil }
        var count = Int64(actors.count)
        if mayHaveOtherActors { count = max(stored.actors - hiddenActors, count) }
        return NotificationGroup(
            id: stored.id, kind: newest.kind, post: newest.post, place: stored.latest, latest: shownLatest ?? newest,
            actors: Array(actors.prefix(NotificationGroup.actorsShown)), actorsCount: count, isRead: !stored.isOpen)
    }
}
