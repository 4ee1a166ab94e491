import Database
import TestSupport
import Testing

@testable import Sessions
@testable import SocialGraph

/// Random log-ins, renewals, reuses, log-outs and password changes, compared with sessions in plain collections.
@Suite(.timeLimit(.model))
struct SessionModelTests {
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `sessions are what the plain model says`(seed: UInt64) async throws {
        try await withGraph { fixture in
            var history = try await SessionHistory(fixture, seed: seed)
            for _ in 0..<600 { try await history.step() }
            // A history without these events would prove nothing.
            #expect(history.renewals > 30 && history.reuses > 3 && history.refusals > 10)
        }
    }

    @Test
    func `the session that was used the longest time ago gives way`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            var opened: [SessionID] = []
            for number in 0..<SessionLimits.sessionsPerUser {
                opened.append(try #require(try await fixture.open(ann, number)))
                fixture.clock.advance(by: 1)
            }
            _ = try await fixture.graph.sessions.refreshSession(
                [0], family: [0], with: RefreshGrant(digest: [200], lifetime: 1_000_000))
            fixture.clock.advance(by: 1)
            let next = try #require(try await fixture.open(ann, 201))
            let left = try await fixture.graph.sessions.sessions(of: ann).map(\.id)
            #expect(left == ([opened[0]] + opened.dropFirst(2) + [next]).reversed())
        }
    }

    @Test(arguments: [0, 1, 299])
    func `of very many spent tokens each ends its session`(reused: Int) async throws {
        try await withGraph { fixture in
            let (ann, sessions) = (try await fixture.user("ann"), fixture.graph.sessions)
            func digest(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255), 1] }
            func renew(_ number: Int) async throws {
                let refresh = RefreshGrant(digest: digest(number + 1), lifetime: 1_000_000)
                _ = try await sessions.refreshSession(digest(number), family: [7], with: refresh)
            }
            let first = RefreshGrant(digest: digest(0), lifetime: 1_000_000)
            _ = try await sessions.openSession(of: ann, refresh: first)
            for number in 0..<300 {
                fixture.clock.advance(by: 1)
                try await renew(number)
            }
            #expect(try await fixture.integer("SELECT COUNT(*) FROM spent_refresh") == 1)
            // A token of nobody ends nothing.
            await #expect(throws: GraphError.refreshTokenInvalid) {
                _ = try await sessions.refreshSession([9], family: [8], with: first)
            }
            #expect(try await sessions.sessions(of: ann).count == 1)
            await #expect(throws: GraphError.refreshTokenInvalid) { try await renew(reused) }
            #expect(try await sessions.sessions(of: ann).isEmpty)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM spent_refresh") == 0)
        }
    }

    @Test
    func `a token that an older server spent ends its session`() async throws {
        try await withGraph { fixture in
            let (ann, sessions) = (try await fixture.user("ann"), fixture.graph.sessions)
            let session = try #require(try await fixture.open(ann, 1))
            _ = try await fixture.graph.database.write { transaction in
                try transaction.execute(
                    "INSERT INTO spent_refresh (refresh_digest, session_id, expires_at) VALUES (?1, ?2, ?3)",
                    [.blob([0]), .session(session), .integer(transaction.now + 1_000_000)])
            }
            await #expect(throws: GraphError.refreshTokenInvalid) {
                _ = try await sessions.refreshSession(
                    [0], family: [7], with: RefreshGrant(digest: [2], lifetime: 1_000))
            }
            #expect(try await sessions.sessions(of: ann).isEmpty)
        }
    }

    @Test
    func `a password judged before the epoch moved opens nothing`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let refresh = RefreshGrant(digest: [1], lifetime: 1_000)
            #expect(try await fixture.graph.sessions.openSession(of: ann, epoch: 0, refresh: refresh) != nil)
            try await fixture.graph.sessions.endAllSessions(of: ann)
            #expect(try await fixture.graph.sessions.openSession(of: ann, epoch: 0, refresh: refresh) == nil)
            #expect(
                try await fixture.graph.sessions.changePassword(of: ann, to: "hash", epoch: 0, refresh: refresh) == nil)
            #expect(try await fixture.graph.accounts.credentials(of: ann)?.passwordHash == nil)
            #expect(try await fixture.graph.sessions.tokenRevocationState(of: ann)?.sessions == [])
            #expect(try await fixture.graph.sessions.tokenRevocationState(of: ann)?.loggedOutAt == fixture.clock.now)
        }
    }
}

extension GraphFixture {
    fileprivate func open(_ user: UserID, _ number: Int) async throws -> SessionID? {
        try await graph.sessions.openSession(
            of: user, refresh: RefreshGrant(digest: [UInt8(number)], lifetime: 1_000_000)
        )?.session
    }
}

/// One seeded history and the expected sessions.
private struct SessionHistory {
    private struct Open {
        let user: UserID
        var digest: [UInt8]
        let family: [UInt8]
        var expiresAt: Int64
        /// The digests of used refresh tokens.
        var spent: [[UInt8]] = []
    }

    private static let lifetime: Int64 = 1_000

    private let fixture: GraphFixture
    private let users: [UserID]
    private var random: SplitMix64
    private var open: [SessionID: Open] = [:]
    private var epochs: [UserID: Int64] = [:]
    private var digests = 0
    /// Tokens of ended sessions, which must never become valid again.
    private var dead: [(digest: [UInt8], family: [UInt8])] = []
    private(set) var (renewals, reuses, refusals) = (0, 0, 0)

    init(_ fixture: GraphFixture, seed: UInt64) async throws {
        self.fixture = fixture
        random = SplitMix64(seed: seed)
        users = try await fixture.users(3)
    }

    mutating func step() async throws {
        fixture.clock.advance(by: Int64.random(in: 0...60, using: &random))
        let user = users.randomElement(using: &random) ?? users[0]
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5: try await logIn(user)
        case 5..<12: try await renew()
        case 12: try await presentSpent()
        case 13..<15: try await presentDead()
        case 15..<17: try await logOut(user)
        case 17: try await logOutEverywhere(user)
        case 18: try await changePassword(user)
        default: try await prune()
        }
        for user in users {
            let revocation = try await fixture.graph.sessions.tokenRevocationState(of: user)
            #expect(revocation?.epoch == epochs[user] ?? 0)
            #expect(revocation?.sessions == Set(open.filter { $0.value.user == user }.keys))
        }
    }

    private mutating func grant() -> RefreshGrant {
        digests += 1
        return RefreshGrant(
            digest: [UInt8(digests >> 8 & 255), UInt8(digests & 255), 7], lifetime: Self.lifetime)
    }

    /// - Parameter family: nil for a session that begins.
    private mutating func note(
        _ grant: SessionGrant?, _ refresh: RefreshGrant, of user: UserID, family: [UInt8]? = nil
    ) throws {
        let grant = try #require(grant)
        let expiresAt = fixture.clock.now + Self.lifetime
        #expect(
            grant
                == SessionGrant(user: user, session: grant.session, epoch: epochs[user] ?? 0, expiresAt: expiresAt))
        open[grant.session] = Open(
            user: user, digest: refresh.digest, family: family ?? [1] + refresh.digest, expiresAt: expiresAt)
    }

    private mutating func end(_ session: SessionID) {
        guard let ended = open.removeValue(forKey: session) else { return }
        dead += ([ended.digest] + ended.spent).map { (digest: $0, family: ended.family) }
    }

    private mutating func logIn(_ user: UserID) async throws {
        let refresh = grant()
        try note(await fixture.graph.sessions.openSession(of: user, refresh: refresh), refresh, of: user)
    }

    private mutating func renew() async throws {
        guard let session = open.keys.sorted().randomElement(using: &random), let old = open[session] else { return }
        let refresh = grant()
        if fixture.clock.now >= old.expiresAt { return try await expectRefusal(old.digest, old.family) }
        let granted = try await fixture.graph.sessions.refreshSession(old.digest, family: old.family, with: refresh)
        #expect(granted.session == session)
        try note(granted, refresh, of: old.user, family: old.family)
        open[session]?.spent = old.spent + [old.digest]
        renewals += 1
    }

    private mutating func presentSpent() async throws {
        let reusable = open.filter { !$0.value.spent.isEmpty }.keys.sorted()
        guard let session = reusable.randomElement(using: &random),
            let found = open[session], let spent = found.spent.randomElement(using: &random)
        else { return }
        try await expectRefusal(spent, found.family)
        end(session)
        reuses += 1
    }

    private mutating func presentDead() async throws {
        let token = dead.randomElement(using: &random) ?? (digest: [9], family: [9])
        try await expectRefusal(token.digest, token.family)
    }

    private mutating func expectRefusal(_ digest: [UInt8], _ family: [UInt8]) async throws {
        let (graph, refresh) = (fixture.graph, grant())
        await #expect(throws: GraphError.refreshTokenInvalid) {
            _ = try await graph.sessions.refreshSession(digest, family: family, with: refresh)
        }
        refusals += 1
    }

    private mutating func logOut(_ user: UserID) async throws {
        guard let session = open.keys.sorted().randomElement(using: &random) else { return }
        let isOwn = open[session]?.user == user
        #expect(try await fixture.graph.sessions.endSession(session, of: user) == isOwn)
        if isOwn { end(session) }
    }

    private mutating func logOutEverywhere(_ user: UserID) async throws {
        try await fixture.graph.sessions.endAllSessions(of: user)
        forgetAll(of: user)
    }

    private mutating func changePassword(_ user: UserID) async throws {
        let refresh = grant()
        let epoch = epochs[user] ?? 0
        let granted = try await fixture.graph.sessions.changePassword(
            of: user, to: "hash \(digests)", epoch: epoch, refresh: refresh)
        #expect(try await fixture.graph.accounts.credentials(of: user)?.passwordHash == "hash \(digests)")
        forgetAll(of: user)
        try note(granted, refresh, of: user)
    }

    private mutating func forgetAll(of user: UserID) {
        epochs[user, default: 0] += 1
        for session in open.filter({ $0.value.user == user }).keys { end(session) }
    }

    private mutating func prune() async throws {
        try await fixture.graph.changes.prune()
        let now = fixture.clock.now
        for (session, found) in open where found.expiresAt < now { end(session) }
        // One row for all spent tokens of a session.
        #expect(
            try await fixture.integer("SELECT COUNT(*) FROM spent_refresh")
                == Int64(open.values.count { !$0.spent.isEmpty }))
    }
}
