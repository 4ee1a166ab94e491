import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Two communities, people of every role, and content to moderate, all by people without a role.
struct ModerationTown {
    let fixture: GraphFixture
    let admin: UserID
    let siteModerator: UserID
    /// Owner of `square`.
    let owner: UserID
    /// Moderators of `square`, the senior first.
    let moderators: [UserID]
    /// Members of `square`.
    let members: [UserID]
    /// The owner, a moderator and a member of `club`, none of whom is in `square`.
    let elsewhere: [UserID]
    /// A public community.
    let square: CommunityID
    /// A private community, with a pending request by the last member of `square`.
    let club: CommunityID
    /// Posts in `square`, by its members.
    let posts: [PostID]
    let comments: [CommentID]
    /// A member's post outside communities.
    let loose: PostID
    /// Reports about the first post and about the loose one.
    let reports: [ReportID]

    var graph: GraphStore { fixture.graph }
    var everybody: [UserID] { [admin, siteModerator, owner] + moderators + members + elsewhere }

    init(_ fixture: GraphFixture) async throws {
        self.fixture = fixture
        let graph = fixture.graph
        let people = try await fixture.users(11, prefix: "person")
        (admin, siteModerator, owner) = (people[0], people[1], people[2])
        moderators = Array(people[3...4])
        members = Array(people[5...7])
        elsewhere = Array(people[8...10])
        _ = try await graph.moderation.appoint(.admin, admin, reason: "the first")
        _ = try await graph.moderation.appoint(.moderator, siteModerator, reason: "the second")
        square = try await graph.communities.createCommunity(name: "Square", description: "", by: owner).id
        club = try await graph.communities.createCommunity(
            name: "Club", description: "", by: elsewhere[0], isPrivate: true
        ).id
        for person in moderators + members { try await graph.communities.joinCommunity(square, by: person) }
        for person in elsewhere.dropFirst() {
            try await graph.communities.joinCommunity(club, by: person)
            try await graph.joinRequests.approveRequest(of: person, to: club, by: elsewhere[0])
        }
        try await graph.communities.joinCommunity(club, by: members[2])
        // The owners appoint the moderators, because they could not dismiss those whom the site had appointed.
        let (squareOwner, ofSquare) = (people[2], self.square)
        let appointments = moderators.map { ($0, ofSquare, squareOwner) } + [(elsewhere[1], club, elsewhere[0])]
        for (person, place, owner) in appointments {
            let order = ModerationOrder(
                .setMemberRole, [.user(person)], community: place, reason: "trusted",
                detail: .memberRole(.moderator))
            _ = try await graph.moderation.moderate(order, by: owner)
        }
        for person in members.dropFirst() { try await graph.follows.follow(person, members[0]) }
        var (posts, comments): ([PostID], [CommentID]) = ([], [])
        for (index, author) in members.enumerated() {
            var new = NewPost.sample(author, "post \(index)")
            new.community = square
            let post = try await graph.posts.publish(new).id
            posts.append(post)
            comments.append(
                try await graph.comments.comment(on: post, by: members[(index + 1) % 3], content: "hello").id)
            try await graph.likes.like(post, by: members[(index + 2) % 3])
        }
        (self.posts, self.comments) = (posts, comments)
        let loose = try await fixture.post(members[0], "loose")
        self.loose = loose
        let (reported, reporter, square) = (posts[0], members[1], square)
        reports = try await fixture.database.write { transaction in
            try [(reported, SQLValue.community(square)), (loose, .null)].map { post, community in
                let id = try transaction.nextID()
                try transaction.execute(
                    """
                    INSERT INTO report (id, reporter_id, subject_kind, subject_id, community_id, user_id, reason, note,
                        created_at, status) VALUES (?1, ?2, 'post', ?3, ?4, NULL, 'r', '', 1, 'open')
                    """, [.integer(id), .user(reporter), .post(post), community])
                return ReportID(rawValue: id)
            }
        }
    }

    /// Creates an open appeal by the user whom `entry` concerns.
    func appeal(_ entry: ModlogEntryID, by user: UserID, in community: CommunityID?) async throws -> AppealID {
        try await fixture.database.write { transaction in
            let id = try transaction.nextID()
            try transaction.execute(
                """
                INSERT INTO appeal (id, user_id, seq, community_id, text, created_at, status)
                VALUES (?1, ?2, ?3, ?4, 't', 1, 'open')
                """,
                [
                    .integer(id), .user(user), .integer(entry.rawValue),
                    community.map(SQLValue.community) ?? .null,
                ])
            return AppealID(rawValue: id)
        }
    }

    @discardableResult
    func order(
        _ action: ModerationAction, _ subjects: [ModerationSubject], in community: CommunityID? = nil,
        by actor: UserID?, endsAt: Int64? = nil, _ detail: ModerationOrder.Detail? = nil, note: String? = nil,
        isDryRun: Bool = false
    ) async throws -> ModerationOutcome {
        try await graph.moderation.moderate(
            ModerationOrder(
                action, subjects, community: community, reason: "because", note: note, endsAt: endsAt, detail: detail),
            by: actor, isDryRun: isDryRun)
    }
}

extension GraphFixture {
    /// Every row of every table except change logs and id sequences. After an undo of everything, it must be the same
    /// as before.
    func dump(except tables: Set<String> = ModerationTables.ofChanges) async throws -> [String: [String]] {
        try await database.read { reader in
            var result: [String: [String]] = [:]
            for table in StoredTable.ofGraph where !tables.contains(table.name) {
                let columns = table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
                // A notice of a decision stays after its undo.
                let condition = table.name.hasPrefix("notification") ? " WHERE kind <> 'moderation'" : ""
                var rows: [String] = []
                try reader.values("SELECT \(columns) FROM \(table.name)\(condition)", [], of: table.columns) { values in
                    rows.append("\(values)")
                }
                result[table.name] = rows.sorted()
            }
            return result
        }
    }
}

enum ModerationTables {
    static let ofChanges: Set<String> = [
        "moderation_entry", "moderation_note", "moderation_effect", "change", "change_group", "id_sequence",
        "outbox", "community_participant",
    ]
}

/// The first difference, as text for a message.
func difference(_ one: [String: [String]], _ other: [String: [String]]) -> String? {
    for name in Set(one.keys).union(other.keys).sorted() where one[name] != other[name] {
        let (before, after) = (Set(one[name] ?? []), Set(other[name] ?? []))
        return "\(name): was \(before.subtracting(after)), is \(after.subtracting(before))"
    }
    return nil
}
