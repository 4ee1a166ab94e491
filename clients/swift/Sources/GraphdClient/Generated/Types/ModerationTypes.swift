// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct Appeal: Codable, Hashable, Sendable {
    public var appealId: String
    public var text: String
    public var createdAt: Date
    public var status: AppealStatus
    public var decidedAt: Date?
    public var user: UserReference
    public var entry: ModlogEntry
    public var decidedBy: UserReference?

    public init(
        appealId: String, text: String, createdAt: Date, status: AppealStatus, user: UserReference, entry: ModlogEntry,
        decidedAt: Date? = nil, decidedBy: UserReference? = nil
    ) {
        self.appealId = appealId
        self.text = text
        self.createdAt = createdAt
        self.status = status
        self.decidedAt = decidedAt
        self.user = user
        self.entry = entry
        self.decidedBy = decidedBy
    }
}

/// One of the known values, or one that a later server has added.
public struct AppealListStatus: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let open = Self(rawValue: "open")
    public static let granted = Self(rawValue: "granted")
    public static let denied = Self(rawValue: "denied")
    public static let all = Self(rawValue: "all")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.open, .granted, .denied, .all]
}

public struct AppealPage: Codable, Hashable, Sendable {
    public var items: [Appeal]
    public var nextCursor: String?

    public init(items: [Appeal], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

/// One of the known values, or one that a later server has added.
public struct AppealStatus: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let open = Self(rawValue: "open")
    public static let granted = Self(rawValue: "granted")
    public static let denied = Self(rawValue: "denied")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.open, .granted, .denied]
}

public struct Classifier: Codable, Hashable, Sendable {
    public var classifierId: String
    public var communityId: String?
    public var name: String
    public var url: String
    public var timeoutMs: Int
    public var fallback: ClassifierVerdict
    public var enabled: Bool
    public var createdAt: Date
    public var breaker: ClassifierBreaker

    public init(
        classifierId: String, name: String, url: String, timeoutMs: Int, fallback: ClassifierVerdict, enabled: Bool,
        createdAt: Date, breaker: ClassifierBreaker, communityId: String? = nil
    ) {
        self.classifierId = classifierId
        self.communityId = communityId
        self.name = name
        self.url = url
        self.timeoutMs = timeoutMs
        self.fallback = fallback
        self.enabled = enabled
        self.createdAt = createdAt
        self.breaker = breaker
    }
}

/// After five consecutive failures a classifier is suspended (`open`) until `retryAt`; then one request tests
/// whether it answers again (`halfOpen`). Requests that are not sent wait until their time is over, and then the
/// fallback applies. Each server process has its own state.
public struct ClassifierBreaker: Codable, Hashable, Sendable {
    public var state: ClassifierBreakerState
    /// Consecutive failures.
    public var failures: Int
    public var retryAt: Date?

    public init(state: ClassifierBreakerState, failures: Int, retryAt: Date? = nil) {
        self.state = state
        self.failures = failures
        self.retryAt = retryAt
    }
}

/// One of the known values, or one that a later server has added.
public struct ClassifierBreakerState: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let closed = Self(rawValue: "closed")
    public static let open = Self(rawValue: "open")
    public static let halfOpen = Self(rawValue: "halfOpen")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.closed, .open, .halfOpen]
}

public struct ClassifierChange: Codable, Hashable, Sendable {
    public var name: String?
    public var url: String?
    public var timeoutMs: Int?
    public var fallback: ClassifierVerdict?
    public var enabled: Bool?

    public init(
        name: String? = nil, url: String? = nil, timeoutMs: Int? = nil, fallback: ClassifierVerdict? = nil,
        enabled: Bool? = nil
    ) {
        self.name = name
        self.url = url
        self.timeoutMs = timeoutMs
        self.fallback = fallback
        self.enabled = enabled
    }
}

public struct ClassifierPage: Codable, Hashable, Sendable {
    public var items: [Classifier]
    public var nextCursor: String?

    public init(items: [Classifier], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

/// One of the known values, or one that a later server has added.
public struct ClassifierVerdict: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let allow = Self(rawValue: "allow")
    public static let hold = Self(rawValue: "hold")
    public static let flag = Self(rawValue: "flag")
    public static let remove = Self(rawValue: "remove")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.allow, .hold, .flag, .remove]
}

public struct CommunityModerator: Codable, Hashable, Sendable {
    public var userId: String
    public var username: String
    public var role: CommunityModeratorRole
    public var joinedAt: Date

    public init(userId: String, username: String, role: CommunityModeratorRole, joinedAt: Date) {
        self.userId = userId
        self.username = username
        self.role = role
        self.joinedAt = joinedAt
    }
}

/// One of the known values, or one that a later server has added.
public struct CommunityModeratorRole: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let owner = Self(rawValue: "owner")
    public static let moderator = Self(rawValue: "moderator")
    public static let member = Self(rawValue: "member")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.owner, .moderator, .member]
}

public struct CommunityTie: Codable, Hashable, Sendable {
    public var communityId: String
    public var name: String
    public var role: CommunityTieRole?
    public var banned: Bool

    public init(communityId: String, name: String, banned: Bool, role: CommunityTieRole? = nil) {
        self.communityId = communityId
        self.name = name
        self.role = role
        self.banned = banned
    }
}

/// One of the known values, or one that a later server has added.
public struct CommunityTieRole: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let owner = Self(rawValue: "owner")
    public static let moderator = Self(rawValue: "moderator")
    public static let member = Self(rawValue: "member")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.owner, .moderator, .member]
}

/// A post or a comment.
public struct ContentSubject: Codable, Hashable, Sendable {
    public var postId: String?
    public var commentId: String?

    public init(postId: String? = nil, commentId: String? = nil) {
        self.postId = postId
        self.commentId = commentId
    }
}

public struct Dashboard: Codable, Hashable, Sendable {
    public var deliveriesPerSecond: Double
    public var windows: DashboardWindows
    public var drift: DashboardDrift
    public var latency: [DashboardLatency]
    public var outbox: DashboardOutbox
    public var reports: DashboardReports
    public var queue: DashboardQueue
    public var appeals: DashboardAppeals

    public init(
        deliveriesPerSecond: Double, windows: DashboardWindows, drift: DashboardDrift, latency: [DashboardLatency],
        outbox: DashboardOutbox, reports: DashboardReports, queue: DashboardQueue, appeals: DashboardAppeals
    ) {
        self.deliveriesPerSecond = deliveriesPerSecond
        self.windows = windows
        self.drift = drift
        self.latency = latency
        self.outbox = outbox
        self.reports = reports
        self.queue = queue
        self.appeals = appeals
    }
}

public struct DashboardAppeals: Codable, Hashable, Sendable {
    public var open: Int

    public init(open: Int) {
        self.open = open
    }
}

public struct DashboardDrift: Codable, Hashable, Sendable {
    public var checked: Int
    public var found: Int
    public var lastAt: Date?

    public init(checked: Int, found: Int, lastAt: Date? = nil) {
        self.checked = checked
        self.found = found
        self.lastAt = lastAt
    }
}

public struct DashboardLatency: Codable, Hashable, Sendable {
    public var route: String
    public var p50: Double
    public var p90: Double
    public var p99: Double
    public var count: Int

    public init(route: String, p50: Double, p90: Double, p99: Double, count: Int) {
        self.route = route
        self.p50 = p50
        self.p90 = p90
        self.p99 = p99
        self.count = count
    }
}

public struct DashboardOutbox: Codable, Hashable, Sendable {
    public var pending: Int
    public var oldestMs: Int

    public init(pending: Int, oldestMs: Int) {
        self.pending = pending
        self.oldestMs = oldestMs
    }
}

public struct DashboardQueue: Codable, Hashable, Sendable {
    public var held: Int

    public init(held: Int) {
        self.held = held
    }
}

public struct DashboardReports: Codable, Hashable, Sendable {
    public var open: Int

    public init(open: Int) {
        self.open = open
    }
}

public struct DashboardWindows: Codable, Hashable, Sendable {
    public var hits: Int
    public var misses: Int
    public var hitRate: Double?

    public init(hits: Int, misses: Int, hitRate: Double? = nil) {
        self.hits = hits
        self.misses = misses
        self.hitRate = hitRate
    }
}

public struct ExploredHome: Codable, Hashable, Sendable {
    public var items: [ExploredItem]
    public var nextCursor: String?

    public init(items: [ExploredItem], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

/// A post with the reasons (`why`) for its place.
public struct ExploredItem: Codable, Hashable, Sendable {
    public var postId: String
    public var why: [Reason]

    public init(postId: String, why: [Reason]) {
        self.postId = postId
        self.why = why
    }
}

public struct FiledAppeal: Codable, Hashable, Sendable {
    public var appealId: String
    public var status: String

    public init(appealId: String, status: String) {
        self.appealId = appealId
        self.status = status
    }
}

public struct FiledReport: Codable, Hashable, Sendable {
    public var reportId: String
    public var status: FiledReportStatus

    public init(reportId: String, status: FiledReportStatus) {
        self.reportId = reportId
        self.status = status
    }
}

/// One of the known values, or one that a later server has added.
public struct FiledReportStatus: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let open = Self(rawValue: "open")
    public static let claimed = Self(rawValue: "claimed")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.open, .claimed]
}

/// One of the known values, or one that a later server has added.
public struct ListQueueKind: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let post = Self(rawValue: "post")
    public static let comment = Self(rawValue: "comment")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.post, .comment]
}

public struct ModeratedCommunity: Codable, Hashable, Sendable {
    public var communityId: String
    public var name: String
    public var role: ModeratedCommunityRole?
    public var membersCount: Int
    public var `private`: Bool
    public var locked: Bool
    public var archived: Bool
    public var openReports: Int
    public var held: Int

    public init(
        communityId: String, name: String, membersCount: Int, private: Bool, locked: Bool, archived: Bool,
        openReports: Int, held: Int, role: ModeratedCommunityRole? = nil
    ) {
        self.communityId = communityId
        self.name = name
        self.role = role
        self.membersCount = membersCount
        self.private = `private`
        self.locked = locked
        self.archived = archived
        self.openReports = openReports
        self.held = held
    }
}

public struct ModeratedCommunityCard: Codable, Hashable, Sendable {
    public var communityId: String
    public var name: String
    public var role: ModeratedCommunityCardRole?
    public var membersCount: Int
    public var `private`: Bool
    public var locked: Bool
    public var archived: Bool
    public var openReports: Int
    public var held: Int
    public var description: String
    public var createdAt: Date
    public var moderators: [CommunityModerator]
    public var pins: [String]
    public var featured: [String]
    public var rulesCount: Int
    public var requestsCount: Int

    public init(
        communityId: String, name: String, membersCount: Int, private: Bool, locked: Bool, archived: Bool,
        openReports: Int, held: Int, description: String, createdAt: Date, moderators: [CommunityModerator],
        pins: [String], featured: [String], rulesCount: Int, requestsCount: Int, role: ModeratedCommunityCardRole? = nil
    ) {
        self.communityId = communityId
        self.name = name
        self.role = role
        self.membersCount = membersCount
        self.private = `private`
        self.locked = locked
        self.archived = archived
        self.openReports = openReports
        self.held = held
        self.description = description
        self.createdAt = createdAt
        self.moderators = moderators
        self.pins = pins
        self.featured = featured
        self.rulesCount = rulesCount
        self.requestsCount = requestsCount
    }
}

/// One of the known values, or one that a later server has added.
public struct ModeratedCommunityCardRole: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let owner = Self(rawValue: "owner")
    public static let moderator = Self(rawValue: "moderator")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.owner, .moderator]
}

public struct ModeratedCommunityPage: Codable, Hashable, Sendable {
    public var items: [ModeratedCommunity]
    public var nextCursor: String?

    public init(items: [ModeratedCommunity], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

/// One of the known values, or one that a later server has added.
public struct ModeratedCommunityRole: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let owner = Self(rawValue: "owner")
    public static let moderator = Self(rawValue: "moderator")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.owner, .moderator]
}

public struct ModeratedMemberItem: Codable, Hashable, Sendable {
    public var userId: String?
    public var username: String?
    public var role: ModeratedMemberItemRole?
    public var joinedAt: Date?
    public var strikes: Int?
    public var user: UserReference?
    public var since: Date?
    public var endsAt: Date?
    public var reason: String?
    public var entryId: String?

    public init(
        userId: String? = nil, username: String? = nil, role: ModeratedMemberItemRole? = nil, joinedAt: Date? = nil,
        strikes: Int? = nil, user: UserReference? = nil, since: Date? = nil, endsAt: Date? = nil, reason: String? = nil,
        entryId: String? = nil
    ) {
        self.userId = userId
        self.username = username
        self.role = role
        self.joinedAt = joinedAt
        self.strikes = strikes
        self.user = user
        self.since = since
        self.endsAt = endsAt
        self.reason = reason
        self.entryId = entryId
    }
}

/// One of the known values, or one that a later server has added.
public struct ModeratedMemberItemRole: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let owner = Self(rawValue: "owner")
    public static let moderator = Self(rawValue: "moderator")
    public static let member = Self(rawValue: "member")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.owner, .moderator, .member]
}

public struct ModeratedMemberPage: Codable, Hashable, Sendable {
    public var items: [ModeratedMemberItem]
    public var nextCursor: String?

    public init(items: [ModeratedMemberItem], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct ModeratedUser: Codable, Hashable, Sendable {
    public var userId: String
    public var username: String
    public var displayName: String
    public var createdAt: Date
    public var siteRole: ModeratedUserSiteRole?
    public var silencedAt: Date?
    public var suspendedAt: Date?
    public var postsCount: Int
    public var followersCount: Int

    public init(
        userId: String, username: String, displayName: String, createdAt: Date, postsCount: Int, followersCount: Int,
        siteRole: ModeratedUserSiteRole? = nil, silencedAt: Date? = nil, suspendedAt: Date? = nil
    ) {
        self.userId = userId
        self.username = username
        self.displayName = displayName
        self.createdAt = createdAt
        self.siteRole = siteRole
        self.silencedAt = silencedAt
        self.suspendedAt = suspendedAt
        self.postsCount = postsCount
        self.followersCount = followersCount
    }
}

public struct ModeratedUserCard: Codable, Hashable, Sendable {
    public var userId: String
    public var username: String
    public var displayName: String
    public var createdAt: Date
    public var siteRole: ModeratedUserCardSiteRole?
    public var silencedAt: Date?
    public var suspendedAt: Date?
    public var postsCount: Int
    public var followersCount: Int
    public var strikes: [Strike]
    public var reportsOpen: Int
    public var reportsTotal: Int
    public var entries: [ModlogEntry]
    public var communities: [CommunityTie]

    public init(
        userId: String, username: String, displayName: String, createdAt: Date, postsCount: Int, followersCount: Int,
        strikes: [Strike], reportsOpen: Int, reportsTotal: Int, entries: [ModlogEntry], communities: [CommunityTie],
        siteRole: ModeratedUserCardSiteRole? = nil, silencedAt: Date? = nil, suspendedAt: Date? = nil
    ) {
        self.userId = userId
        self.username = username
        self.displayName = displayName
        self.createdAt = createdAt
        self.siteRole = siteRole
        self.silencedAt = silencedAt
        self.suspendedAt = suspendedAt
        self.postsCount = postsCount
        self.followersCount = followersCount
        self.strikes = strikes
        self.reportsOpen = reportsOpen
        self.reportsTotal = reportsTotal
        self.entries = entries
        self.communities = communities
    }
}

/// One of the known values, or one that a later server has added.
public struct ModeratedUserCardSiteRole: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let admin = Self(rawValue: "admin")
    public static let moderator = Self(rawValue: "moderator")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.admin, .moderator]
}

/// One of the known values, or one that a later server has added.
public struct ModeratedUserSiteRole: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let admin = Self(rawValue: "admin")
    public static let moderator = Self(rawValue: "moderator")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.admin, .moderator]
}

public struct ModeratedUsers: Codable, Hashable, Sendable {
    public var items: [ModeratedUser]

    public init(items: [ModeratedUser]) {
        self.items = items
    }
}

/// The moderation actions; `docs/moderation.md` says who may take them.
public struct ModerationAction: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let removePost = Self(rawValue: "removePost")
    public static let restorePost = Self(rawValue: "restorePost")
    public static let takedownPost = Self(rawValue: "takedownPost")
    public static let reinstatePost = Self(rawValue: "reinstatePost")
    public static let holdPost = Self(rawValue: "holdPost")
    public static let approvePost = Self(rawValue: "approvePost")
    public static let pinPost = Self(rawValue: "pinPost")
    public static let unpinPost = Self(rawValue: "unpinPost")
    public static let featurePost = Self(rawValue: "featurePost")
    public static let unfeaturePost = Self(rawValue: "unfeaturePost")
    public static let removeComment = Self(rawValue: "removeComment")
    public static let restoreComment = Self(rawValue: "restoreComment")
    public static let takedownComment = Self(rawValue: "takedownComment")
    public static let reinstateComment = Self(rawValue: "reinstateComment")
    public static let holdComment = Self(rawValue: "holdComment")
    public static let approveComment = Self(rawValue: "approveComment")
    public static let banMember = Self(rawValue: "banMember")
    public static let unbanMember = Self(rawValue: "unbanMember")
    public static let setMemberRole = Self(rawValue: "setMemberRole")
    public static let approveRequest = Self(rawValue: "approveRequest")
    public static let declineRequest = Self(rawValue: "declineRequest")
    public static let lockCommunity = Self(rawValue: "lockCommunity")
    public static let unlockCommunity = Self(rawValue: "unlockCommunity")
    public static let archiveCommunity = Self(rawValue: "archiveCommunity")
    public static let unarchiveCommunity = Self(rawValue: "unarchiveCommunity")
    public static let makeCommunityPrivate = Self(rawValue: "makeCommunityPrivate")
    public static let makeCommunityPublic = Self(rawValue: "makeCommunityPublic")
    public static let renameCommunity = Self(rawValue: "renameCommunity")
    public static let transferCommunity = Self(rawValue: "transferCommunity")
    public static let warnUser = Self(rawValue: "warnUser")
    public static let silenceUser = Self(rawValue: "silenceUser")
    public static let suspendUser = Self(rawValue: "suspendUser")
    public static let reinstateUser = Self(rawValue: "reinstateUser")
    public static let setSiteRole = Self(rawValue: "setSiteRole")
    public static let claimReport = Self(rawValue: "claimReport")
    public static let releaseReport = Self(rawValue: "releaseReport")
    public static let resolveReport = Self(rawValue: "resolveReport")
    public static let decideAppeal = Self(rawValue: "decideAppeal")

    /// The values that this version of the client knows.
    public static let known: [Self] = [
        .removePost, .restorePost, .takedownPost, .reinstatePost, .holdPost, .approvePost, .pinPost, .unpinPost,
        .featurePost, .unfeaturePost, .removeComment, .restoreComment, .takedownComment, .reinstateComment,
        .holdComment, .approveComment, .banMember, .unbanMember, .setMemberRole, .approveRequest, .declineRequest,
        .lockCommunity, .unlockCommunity, .archiveCommunity, .unarchiveCommunity, .makeCommunityPrivate,
        .makeCommunityPublic, .renameCommunity, .transferCommunity, .warnUser, .silenceUser, .suspendUser,
        .reinstateUser, .setSiteRole, .claimReport, .releaseReport, .resolveReport, .decideAppeal,
    ]
}

public struct ModerationOrder: Codable, Hashable, Sendable {
    public var action: ModerationAction
    public var subjects: [ModerationSubject]
    public var communityId: String?
    public var reason: String
    public var note: String?
    public var expiresAt: Date?
    /// In seconds.
    public var duration: Int?
    public var role: ModerationOrderRole?
    public var name: String?
    public var successorId: String?
    public var resolution: ModerationOrderResolution?
    public var decision: ModerationOrderDecision?
    public var dryRun: Bool?

    public init(
        action: ModerationAction, subjects: [ModerationSubject], reason: String, communityId: String? = nil,
        note: String? = nil, expiresAt: Date? = nil, duration: Int? = nil, role: ModerationOrderRole? = nil,
        name: String? = nil, successorId: String? = nil, resolution: ModerationOrderResolution? = nil,
        decision: ModerationOrderDecision? = nil, dryRun: Bool? = nil
    ) {
        self.action = action
        self.subjects = subjects
        self.communityId = communityId
        self.reason = reason
        self.note = note
        self.expiresAt = expiresAt
        self.duration = duration
        self.role = role
        self.name = name
        self.successorId = successorId
        self.resolution = resolution
        self.decision = decision
        self.dryRun = dryRun
    }
}

/// One of the known values, or one that a later server has added.
public struct ModerationOrderDecision: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let granted = Self(rawValue: "granted")
    public static let denied = Self(rawValue: "denied")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.granted, .denied]
}

/// One of the known values, or one that a later server has added.
public struct ModerationOrderResolution: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let actioned = Self(rawValue: "actioned")
    public static let dismissed = Self(rawValue: "dismissed")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.actioned, .dismissed]
}

/// One of the known values, or one that a later server has added.
public struct ModerationOrderRole: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let admin = Self(rawValue: "admin")
    public static let moderator = Self(rawValue: "moderator")
    public static let member = Self(rawValue: "member")
    public static let none = Self(rawValue: "none")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.admin, .moderator, .member, .none]
}

public struct ModerationOutcome: Codable, Hashable, Sendable {
    public var batch: String?
    public var action: ModlogAction
    public var dryRun: Bool
    public var changed: Int
    public var results: [ModerationResult]

    public init(action: ModlogAction, dryRun: Bool, changed: Int, results: [ModerationResult], batch: String? = nil) {
        self.batch = batch
        self.action = action
        self.dryRun = dryRun
        self.changed = changed
        self.results = results
    }
}

public struct ModerationResult: Codable, Hashable, Sendable {
    public var subject: ModerationSubject
    public var changed: Bool
    public var entryId: String?

    public init(subject: ModerationSubject, changed: Bool, entryId: String? = nil) {
        self.subject = subject
        self.changed = changed
        self.entryId = entryId
    }
}

/// Who made the decision. Only site moderators can end a decision of the site.
public struct ModerationScope: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let site = Self(rawValue: "site")
    public static let community = Self(rawValue: "community")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.site, .community]
}

/// An entry of the modlog. `actor` is null if graphd itself acted.
public struct ModlogEntry: Codable, Hashable, Sendable {
    public var entryId: String
    public var batch: String
    public var createdAt: Date
    public var actor: UserReference?
    public var action: ModlogAction
    public var subject: ModerationSubject
    public var community: CommunityReference?
    public var user: UserReference?
    public var reason: String
    public var note: String?
    public var detail: [String: String]
    public var expiresAt: Date?
    public var endsEntry: String?
    public var endedBy: String?
    public var scope: ModerationScope
    public var digest: String

    public init(
        entryId: String, batch: String, createdAt: Date, action: ModlogAction, subject: ModerationSubject,
        reason: String, detail: [String: String], scope: ModerationScope, digest: String, actor: UserReference? = nil,
        community: CommunityReference? = nil, user: UserReference? = nil, note: String? = nil, expiresAt: Date? = nil,
        endsEntry: String? = nil, endedBy: String? = nil
    ) {
        self.entryId = entryId
        self.batch = batch
        self.createdAt = createdAt
        self.actor = actor
        self.action = action
        self.subject = subject
        self.community = community
        self.user = user
        self.reason = reason
        self.note = note
        self.detail = detail
        self.expiresAt = expiresAt
        self.endsEntry = endsEntry
        self.endedBy = endedBy
        self.scope = scope
        self.digest = digest
    }
}

public struct ModlogPage: Codable, Hashable, Sendable {
    public var items: [ModlogEntry]
    public var nextCursor: String?

    public init(items: [ModlogEntry], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct ModlogVerification: Codable, Hashable, Sendable {
    public var entries: Int
    public var head: String
    public var valid: Bool
    public var brokenAt: String?

    public init(entries: Int, head: String, valid: Bool, brokenAt: String? = nil) {
        self.entries = entries
        self.head = head
        self.valid = valid
        self.brokenAt = brokenAt
    }
}

public struct NewAppeal: Codable, Hashable, Sendable {
    public var entryId: String
    public var text: String

    public init(entryId: String, text: String) {
        self.entryId = entryId
        self.text = text
    }
}

public struct NewClassifier: Codable, Hashable, Sendable {
    public var communityId: String?
    public var name: String
    public var url: String
    public var timeoutMs: Int
    public var fallback: ClassifierVerdict
    public var enabled: Bool?

    public init(
        name: String, url: String, timeoutMs: Int, fallback: ClassifierVerdict, communityId: String? = nil,
        enabled: Bool? = nil
    ) {
        self.communityId = communityId
        self.name = name
        self.url = url
        self.timeoutMs = timeoutMs
        self.fallback = fallback
        self.enabled = enabled
    }
}

public struct NewClassifierAnswer: Codable, Hashable, Sendable {
    public var classifierId: String
    public var communityId: String?
    public var name: String
    public var url: String
    public var timeoutMs: Int
    public var fallback: ClassifierVerdict
    public var enabled: Bool
    public var createdAt: Date
    public var breaker: ClassifierBreaker
    public var secret: String

    public init(
        classifierId: String, name: String, url: String, timeoutMs: Int, fallback: ClassifierVerdict, enabled: Bool,
        createdAt: Date, breaker: ClassifierBreaker, secret: String, communityId: String? = nil
    ) {
        self.classifierId = classifierId
        self.communityId = communityId
        self.name = name
        self.url = url
        self.timeoutMs = timeoutMs
        self.fallback = fallback
        self.enabled = enabled
        self.createdAt = createdAt
        self.breaker = breaker
        self.secret = secret
    }
}

public struct NewReport: Codable, Hashable, Sendable {
    public var postId: String?
    public var commentId: String?
    public var userId: String?
    public var communityId: String?
    public var reason: String
    public var note: String?

    public init(
        reason: String, postId: String? = nil, commentId: String? = nil, userId: String? = nil,
        communityId: String? = nil, note: String? = nil
    ) {
        self.postId = postId
        self.commentId = commentId
        self.userId = userId
        self.communityId = communityId
        self.reason = reason
        self.note = note
    }
}

public struct NewRule: Codable, Hashable, Sendable {
    public var communityId: String?
    public var name: String
    public var kind: RuleKind
    public var action: RuleAction
    public var enabled: Bool?
    public var definition: RuleDefinition

    public init(
        name: String, kind: RuleKind, action: RuleAction, definition: RuleDefinition, communityId: String? = nil,
        enabled: Bool? = nil
    ) {
        self.communityId = communityId
        self.name = name
        self.kind = kind
        self.action = action
        self.enabled = enabled
        self.definition = definition
    }
}

public struct OwnAppealPage: Codable, Hashable, Sendable {
    public var items: [OwnAppeal]
    public var nextCursor: String?

    public init(items: [OwnAppeal], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct OwnModlogPage: Codable, Hashable, Sendable {
    public var items: [OwnModlogEntry]
    public var nextCursor: String?

    public init(items: [OwnModlogEntry], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct PublicModlogEntry: Codable, Hashable, Sendable {
    public var entryId: String
    public var createdAt: Date
    public var action: ModlogAction
    public var subject: ModerationSubject
    public var community: CommunityReference?
    public var reason: String
    public var expiresAt: Date?
    public var endedBy: String?

    public init(
        entryId: String, createdAt: Date, action: ModlogAction, subject: ModerationSubject, reason: String,
        community: CommunityReference? = nil, expiresAt: Date? = nil, endedBy: String? = nil
    ) {
        self.entryId = entryId
        self.createdAt = createdAt
        self.action = action
        self.subject = subject
        self.community = community
        self.reason = reason
        self.expiresAt = expiresAt
        self.endedBy = endedBy
    }
}

public struct PublicModlogPage: Codable, Hashable, Sendable {
    public var items: [PublicModlogEntry]
    public var nextCursor: String?

    public init(items: [PublicModlogEntry], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct QueueItem: Codable, Hashable, Sendable {
    public var subject: ContentSubject
    public var user: UserReference
    public var community: QueueItemCommunity?
    public var text: String
    public var mediaUrl: String?
    public var thumbnailUrl: String?
    public var createdAt: Date
    public var scope: ModerationScope
    public var heldAt: Date
    public var reason: String
    /// The name of the rule that held it.
    public var rule: String?
    /// The modlog entry of the hold.
    public var entryId: String?

    public init(
        subject: ContentSubject, user: UserReference, text: String, createdAt: Date, scope: ModerationScope,
        heldAt: Date, reason: String, community: QueueItemCommunity? = nil, mediaUrl: String? = nil,
        thumbnailUrl: String? = nil, rule: String? = nil, entryId: String? = nil
    ) {
        self.subject = subject
        self.user = user
        self.community = community
        self.text = text
        self.mediaUrl = mediaUrl
        self.thumbnailUrl = thumbnailUrl
        self.createdAt = createdAt
        self.scope = scope
        self.heldAt = heldAt
        self.reason = reason
        self.rule = rule
        self.entryId = entryId
    }
}

public struct QueueItemCommunity: Codable, Hashable, Sendable {
    public var communityId: String
    public var name: String

    public init(communityId: String, name: String) {
        self.communityId = communityId
        self.name = name
    }
}

public struct QueuePage: Codable, Hashable, Sendable {
    public var items: [QueueItem]
    public var nextCursor: String?

    public init(items: [QueueItem], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

/// A report. `reporter` is null if graphd reported for a rule.
public struct Report: Codable, Hashable, Sendable {
    public var reportId: String
    public var reporter: UserReference?
    public var subject: ModerationSubject
    public var excerpt: String
    public var community: CommunityReference?
    public var user: UserReference?
    public var reason: String
    public var note: String
    public var createdAt: Date
    public var status: ReportStatus
    public var claimedBy: UserReference?
    public var resolution: ReportResolution?
    public var resolvedAt: Date?
    public var openReports: Int

    public init(
        reportId: String, subject: ModerationSubject, excerpt: String, reason: String, note: String, createdAt: Date,
        status: ReportStatus, openReports: Int, reporter: UserReference? = nil, community: CommunityReference? = nil,
        user: UserReference? = nil, claimedBy: UserReference? = nil, resolution: ReportResolution? = nil,
        resolvedAt: Date? = nil
    ) {
        self.reportId = reportId
        self.reporter = reporter
        self.subject = subject
        self.excerpt = excerpt
        self.community = community
        self.user = user
        self.reason = reason
        self.note = note
        self.createdAt = createdAt
        self.status = status
        self.claimedBy = claimedBy
        self.resolution = resolution
        self.resolvedAt = resolvedAt
        self.openReports = openReports
    }
}

/// The reports about one subject with the same status and the same moderators.
public struct ReportCase: Codable, Hashable, Sendable {
    public var subject: ModerationSubject
    public var excerpt: String
    /// The media of a post; null for any other subject.
    public var media: ReportCaseMedia?
    public var community: CommunityReference?
    public var user: UserReference?
    public var status: ReportCaseStatus
    /// The claimer of the latest report.
    public var claimedBy: UserReference?
    public var resolution: ReportCaseResolution?
    public var resolvedAt: Date?
    public var reportsCount: Int
    public var firstReportedAt: Date
    public var lastReportedAt: Date
    public var latestReportId: String
    /// The most frequent reasons of the latest 1,000 reports.
    public var reasons: [ReportCaseReasons]
    /// The latest reports. `reporter` is null if graphd reported for a rule.
    public var reports: [ReportCaseReports]

    public init(
        subject: ModerationSubject, excerpt: String, status: ReportCaseStatus, reportsCount: Int, firstReportedAt: Date,
        lastReportedAt: Date, latestReportId: String, reasons: [ReportCaseReasons], reports: [ReportCaseReports],
        media: ReportCaseMedia? = nil, community: CommunityReference? = nil, user: UserReference? = nil,
        claimedBy: UserReference? = nil, resolution: ReportCaseResolution? = nil, resolvedAt: Date? = nil
    ) {
        self.subject = subject
        self.excerpt = excerpt
        self.media = media
        self.community = community
        self.user = user
        self.status = status
        self.claimedBy = claimedBy
        self.resolution = resolution
        self.resolvedAt = resolvedAt
        self.reportsCount = reportsCount
        self.firstReportedAt = firstReportedAt
        self.lastReportedAt = lastReportedAt
        self.latestReportId = latestReportId
        self.reasons = reasons
        self.reports = reports
    }
}

/// The media of a post; null for any other subject.
public struct ReportCaseMedia: Codable, Hashable, Sendable {
    public var url: String
    public var thumbnailUrl: String?

    public init(url: String, thumbnailUrl: String? = nil) {
        self.url = url
        self.thumbnailUrl = thumbnailUrl
    }
}

public struct ReportCasePage: Codable, Hashable, Sendable {
    public var items: [ReportCase]
    public var nextCursor: String?

    public init(items: [ReportCase], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct ReportCaseReasons: Codable, Hashable, Sendable {
    public var reason: String
    public var count: Int

    public init(reason: String, count: Int) {
        self.reason = reason
        self.count = count
    }
}

public struct ReportCaseReports: Codable, Hashable, Sendable {
    public var reportId: String
    public var reporter: UserReference?
    public var reason: String
    public var note: String
    public var createdAt: Date

    public init(reportId: String, reason: String, note: String, createdAt: Date, reporter: UserReference? = nil) {
        self.reportId = reportId
        self.reporter = reporter
        self.reason = reason
        self.note = note
        self.createdAt = createdAt
    }
}

/// One of the known values, or one that a later server has added.
public struct ReportCaseResolution: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let actioned = Self(rawValue: "actioned")
    public static let dismissed = Self(rawValue: "dismissed")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.actioned, .dismissed]
}

/// One of the known values, or one that a later server has added.
public struct ReportCaseStatus: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let open = Self(rawValue: "open")
    public static let claimed = Self(rawValue: "claimed")
    public static let resolved = Self(rawValue: "resolved")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.open, .claimed, .resolved]
}

/// One of the known values, or one that a later server has added.
public struct ReportListStatus: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let open = Self(rawValue: "open")
    public static let claimed = Self(rawValue: "claimed")
    public static let resolved = Self(rawValue: "resolved")
    public static let all = Self(rawValue: "all")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.open, .claimed, .resolved, .all]
}

public struct ReportPage: Codable, Hashable, Sendable {
    public var items: [Report]
    public var nextCursor: String?

    public init(items: [Report], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

/// One of the known values, or one that a later server has added.
public struct ReportResolution: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let actioned = Self(rawValue: "actioned")
    public static let dismissed = Self(rawValue: "dismissed")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.actioned, .dismissed]
}

/// One of the known values, or one that a later server has added.
public struct ReportStatus: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let open = Self(rawValue: "open")
    public static let claimed = Self(rawValue: "claimed")
    public static let resolved = Self(rawValue: "resolved")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.open, .claimed, .resolved]
}

/// One of the known values, or one that a later server has added.
public struct ReportedKind: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let post = Self(rawValue: "post")
    public static let comment = Self(rawValue: "comment")
    public static let user = Self(rawValue: "user")
    public static let community = Self(rawValue: "community")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.post, .comment, .user, .community]
}

public struct Rule: Codable, Hashable, Sendable {
    public var ruleId: String
    public var communityId: String?
    public var name: String
    public var kind: RuleKind
    public var action: RuleAction
    public var enabled: Bool
    public var definition: RuleDefinition
    public var createdAt: Date
    public var updatedAt: Date

    public init(
        ruleId: String, name: String, kind: RuleKind, action: RuleAction, enabled: Bool, definition: RuleDefinition,
        createdAt: Date, updatedAt: Date, communityId: String? = nil
    ) {
        self.ruleId = ruleId
        self.communityId = communityId
        self.name = name
        self.kind = kind
        self.action = action
        self.enabled = enabled
        self.definition = definition
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// One of the known values, or one that a later server has added.
public struct RuleAction: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let flag = Self(rawValue: "flag")
    public static let hold = Self(rawValue: "hold")
    public static let remove = Self(rawValue: "remove")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.flag, .hold, .remove]
}

public struct RuleChange: Codable, Hashable, Sendable {
    public var name: String?
    public var kind: RuleKind?
    public var action: RuleAction?
    public var enabled: Bool?
    public var definition: RuleDefinition?

    public init(
        name: String? = nil, kind: RuleKind? = nil, action: RuleAction? = nil, enabled: Bool? = nil,
        definition: RuleDefinition? = nil
    ) {
        self.name = name
        self.kind = kind
        self.action = action
        self.enabled = enabled
        self.definition = definition
    }
}

/// Words, a pattern, domains, a rate or an age, depending on the kind of the rule.
public struct RuleDefinition: Codable, Hashable, Sendable {
    public var words: [String]?
    public var wholeWords: Bool?
    public var pattern: String?
    public var domains: [String]?
    public var mode: RuleDefinitionMode?
    public var count: Int?
    public var seconds: Int?
    public var maxAgeSeconds: Int?
    public var minPosts: Int?

    public init(
        words: [String]? = nil, wholeWords: Bool? = nil, pattern: String? = nil, domains: [String]? = nil,
        mode: RuleDefinitionMode? = nil, count: Int? = nil, seconds: Int? = nil, maxAgeSeconds: Int? = nil,
        minPosts: Int? = nil
    ) {
        self.words = words
        self.wholeWords = wholeWords
        self.pattern = pattern
        self.domains = domains
        self.mode = mode
        self.count = count
        self.seconds = seconds
        self.maxAgeSeconds = maxAgeSeconds
        self.minPosts = minPosts
    }
}

/// One of the known values, or one that a later server has added.
public struct RuleDefinitionMode: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let deny = Self(rawValue: "deny")
    public static let allowOnly = Self(rawValue: "allowOnly")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.deny, .allowOnly]
}

public struct RuleDryRun: Codable, Hashable, Sendable {
    /// Fewer than requested if the rule reaches the limit of 20,000,000 steps.
    public var looked: Int
    /// Posts and comments for which the rule alone exceeds the step limit of its scope (1,000,000, plus 20 per
    /// character). They would be held.
    public var tooCostly: Int
    /// The most steps for one post or comment. All enabled rules of a scope share 1,000,000 steps, plus 20 per
    /// character.
    public var mostSteps: Int
    public var matched: Int
    public var items: [RuleDryRunMatch]

    public init(looked: Int, tooCostly: Int, mostSteps: Int, matched: Int, items: [RuleDryRunMatch]) {
        self.looked = looked
        self.tooCostly = tooCostly
        self.mostSteps = mostSteps
        self.matched = matched
        self.items = items
    }
}

public struct RuleDryRunMatch: Codable, Hashable, Sendable {
    public var subject: ContentSubject
    public var user: UserReference
    public var excerpt: String
    /// The matched text, folded as rules see it.
    public var matchedText: String

    public init(subject: ContentSubject, user: UserReference, excerpt: String, matchedText: String) {
        self.subject = subject
        self.user = user
        self.excerpt = excerpt
        self.matchedText = matchedText
    }
}

public struct RuleDryRunRequest: Codable, Hashable, Sendable {
    public var rule: NewRule
    public var last: Int

    public init(rule: NewRule, last: Int) {
        self.rule = rule
        self.last = last
    }
}

/// One of the known values, or one that a later server has added.
public struct RuleKind: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let keyword = Self(rawValue: "keyword")
    public static let pattern = Self(rawValue: "pattern")
    public static let link = Self(rawValue: "link")
    public static let rate = Self(rawValue: "rate")
    public static let newAccount = Self(rawValue: "newAccount")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.keyword, .pattern, .link, .rate, .newAccount]
}

public struct RulePage: Codable, Hashable, Sendable {
    public var items: [Rule]
    public var nextCursor: String?

    public init(items: [Rule], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct Strike: Codable, Hashable, Sendable {
    public var entryId: String
    public var communityId: String?
    public var reason: String
    public var createdAt: Date
    public var expiresAt: Date?

    public init(entryId: String, reason: String, createdAt: Date, communityId: String? = nil, expiresAt: Date? = nil) {
        self.entryId = entryId
        self.communityId = communityId
        self.reason = reason
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

public struct StrikeList: Codable, Hashable, Sendable {
    public var items: [Strike]

    public init(items: [Strike]) {
        self.items = items
    }
}

public struct UndoOrder: Codable, Hashable, Sendable {
    public var reason: String?
    public var dryRun: Bool?

    public init(reason: String? = nil, dryRun: Bool? = nil) {
        self.reason = reason
        self.dryRun = dryRun
    }
}
