// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

public struct Account: Codable, Hashable, Sendable {
    public var userId: String
    public var username: String
    /// Empty if not set.
    public var displayName: String
    public var bio: String
    public var profilePicUrl: String?
    public var createdAt: Date
    public var updatedAt: Date
    public var followersCount: Int
    public var followingCount: Int
    public var postsCount: Int
    public var isBusiness: Bool
    /// Whether follows need approval and posts outside communities are for followers only.
    public var isPrivate: Bool

    public init(
        userId: String, username: String, displayName: String, bio: String, createdAt: Date, updatedAt: Date,
        followersCount: Int, followingCount: Int, postsCount: Int, isBusiness: Bool, isPrivate: Bool,
        profilePicUrl: String? = nil
    ) {
        self.userId = userId
        self.username = username
        self.displayName = displayName
        self.bio = bio
        self.profilePicUrl = profilePicUrl
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.followersCount = followersCount
        self.followingCount = followingCount
        self.postsCount = postsCount
        self.isBusiness = isBusiness
        self.isPrivate = isPrivate
    }
}

/// Later versions may add parts.
public struct AccountExport: Codable, Hashable, Sendable {
    public var reports: [[String: JSONValue]]
    public var appeals: [OwnAppeal]
    /// The entries of `/v1/me/moderation`.
    public var moderation: [OwnModlogEntry]
    public var account: OwnAccount
    public var identities: [AccountExportIdentities]
    public var sessions: [[String: JSONValue]]
    public var logins: [LoginEvent]
    /// The posts, including those that moderators have taken down.
    public var posts: [Post]
    public var collaborations: [AccountExportCollaborations]
    public var reshares: [AccountExportReshares]
    public var comments: [[String: JSONValue]]
    public var likes: [[String: JSONValue]]
    public var externalShares: [[String: JSONValue]]
    public var saves: [SavedPost]
    public var collections: [[String: JSONValue]]
    public var watches: [AccountExportWatches]
    public var notifications: [[String: JSONValue]]
    public var following: [UserReference]
    public var followers: [UserReference]
    /// Users who ask to follow the caller.
    public var followRequests: [UserReference]
    /// Users whom the caller asks to follow.
    public var sentFollowRequests: [UserReference]
    public var blocks: [UserReference]
    public var mutes: [Mute]
    public var mutedWords: [MutedWord]
    public var topics: [[String: JSONValue]]
    public var communities: [AccountExportCommunities]
    public var media: [[String: JSONValue]]
    public var devices: [Device]
    /// The webhooks, without their secrets.
    public var webhooks: [Webhook]
    public var pushSettings: PushSettings
    public var reminders: [Reminder]
    public var embeddings: [Embedding]
    /// The segments and transcripts (WebVTT) of the caller's posts.
    public var segments: [[String: JSONValue]]

    public init(
        reports: [[String: JSONValue]], appeals: [OwnAppeal], moderation: [OwnModlogEntry], account: OwnAccount,
        identities: [AccountExportIdentities], sessions: [[String: JSONValue]], logins: [LoginEvent], posts: [Post],
        collaborations: [AccountExportCollaborations], reshares: [AccountExportReshares],
        comments: [[String: JSONValue]], likes: [[String: JSONValue]], externalShares: [[String: JSONValue]],
        saves: [SavedPost], collections: [[String: JSONValue]], watches: [AccountExportWatches],
        notifications: [[String: JSONValue]], following: [UserReference], followers: [UserReference],
        followRequests: [UserReference], sentFollowRequests: [UserReference], blocks: [UserReference], mutes: [Mute],
        mutedWords: [MutedWord], topics: [[String: JSONValue]], communities: [AccountExportCommunities],
        media: [[String: JSONValue]], devices: [Device], webhooks: [Webhook], pushSettings: PushSettings,
        reminders: [Reminder], embeddings: [Embedding], segments: [[String: JSONValue]]
    ) {
        self.reports = reports
        self.appeals = appeals
        self.moderation = moderation
        self.account = account
        self.identities = identities
        self.sessions = sessions
        self.logins = logins
        self.posts = posts
        self.collaborations = collaborations
        self.reshares = reshares
        self.comments = comments
        self.likes = likes
        self.externalShares = externalShares
        self.saves = saves
        self.collections = collections
        self.watches = watches
        self.notifications = notifications
        self.following = following
        self.followers = followers
        self.followRequests = followRequests
        self.sentFollowRequests = sentFollowRequests
        self.blocks = blocks
        self.mutes = mutes
        self.mutedWords = mutedWords
        self.topics = topics
        self.communities = communities
        self.media = media
        self.devices = devices
        self.webhooks = webhooks
        self.pushSettings = pushSettings
        self.reminders = reminders
        self.embeddings = embeddings
        self.segments = segments
    }
}

public struct AccountExportCollaborations: Codable, Hashable, Sendable {
    public var postId: String
    public var status: AccountExportCollaborationsStatus

    public init(postId: String, status: AccountExportCollaborationsStatus) {
        self.postId = postId
        self.status = status
    }
}

/// One of the known values, or one that a later server has added.
public struct AccountExportCollaborationsStatus: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let pending = Self(rawValue: "pending")
    public static let accepted = Self(rawValue: "accepted")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.pending, .accepted]
}

public struct AccountExportCommunities: Codable, Hashable, Sendable {
    public var role: AccountExportCommunitiesRole

    public init(role: AccountExportCommunitiesRole) {
        self.role = role
    }
}

/// One of the known values, or one that a later server has added.
public struct AccountExportCommunitiesRole: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let owner = Self(rawValue: "owner")
    public static let moderator = Self(rawValue: "moderator")
    public static let member = Self(rawValue: "member")
    public static let banned = Self(rawValue: "banned")
    public static let requested = Self(rawValue: "requested")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.owner, .moderator, .member, .banned, .requested]
}

public struct AccountExportIdentities: Codable, Hashable, Sendable {
    public var issuer: String
    public var subject: String

    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }
}

public struct AccountExportReshares: Codable, Hashable, Sendable {
    public var reshareId: String
    public var postId: String

    public init(reshareId: String, postId: String) {
        self.reshareId = reshareId
        self.postId = postId
    }
}

public struct AccountExportWatches: Codable, Hashable, Sendable {
    public var postId: String
    public var seconds: Double
    public var completed: Bool
    public var watchedAt: Date

    public init(postId: String, seconds: Double, completed: Bool, watchedAt: Date) {
        self.postId = postId
        self.seconds = seconds
        self.completed = completed
        self.watchedAt = watchedAt
    }
}

public struct ActiveSession: Codable, Hashable, Sendable {
    public var sessionId: String
    public var createdAt: Date
    public var usedAt: Date
    public var expiresAt: Date
    /// Whether this request belongs to the session.
    public var current: Bool

    public init(sessionId: String, createdAt: Date, usedAt: Date, expiresAt: Date, current: Bool) {
        self.sessionId = sessionId
        self.createdAt = createdAt
        self.usedAt = usedAt
        self.expiresAt = expiresAt
        self.current = current
    }
}

public struct AuthenticatorSecret: Codable, Hashable, Sendable {
    /// The secret in Base32, to be typed in.
    public var secret: String
    /// An `otpauth` address, to be shown as a QR code: SHA-1, six digits, 30 seconds.
    public var url: String

    public init(secret: String, url: String) {
        self.secret = secret
        self.url = url
    }
}

public struct AuthenticatorState: Codable, Hashable, Sendable {
    public var enabled: Bool
    /// True if the caller has a role that is in force only with an authenticator.
    public var required: Bool
    public var recoveryCodesLeft: Int

    public init(enabled: Bool, required: Bool, recoveryCodesLeft: Int) {
        self.enabled = enabled
        self.required = required
        self.recoveryCodesLeft = recoveryCodesLeft
    }
}

/// A user as the author of an item, or in a list of people.
public struct Author: Codable, Hashable, Sendable {
    public var userId: String
    public var username: String
    /// `null` if the user has none.
    public var displayName: String?
    public var profilePicUrl: String?

    public init(userId: String, username: String, displayName: String? = nil, profilePicUrl: String? = nil) {
        self.userId = userId
        self.username = username
        self.displayName = displayName
        self.profilePicUrl = profilePicUrl
    }
}

/// Whose invitations to collaborate are accepted automatically.
public struct AutoAcceptCollaborations: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let nobody = Self(rawValue: "nobody")
    public static let following = Self(rawValue: "following")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.nobody, .following]
}

public struct CodeProof: Codable, Hashable, Sendable {
    /// Of the authenticator.
    public var code: String

    public init(code: String) {
        self.code = code
    }
}

/// The collaborators. Pending ones are visible only to the author and the collaborators, in answers with a single
/// post and in exports; pages show only accepted ones.
public struct Collaborator: Codable, Hashable, Sendable {
    public var userId: String
    public var username: String
    public var status: CollaboratorStatus

    public init(userId: String, username: String, status: CollaboratorStatus) {
        self.userId = userId
        self.username = username
        self.status = status
    }
}

/// One of the known values, or one that a later server has added.
public struct CollaboratorStatus: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let pending = Self(rawValue: "pending")
    public static let accepted = Self(rawValue: "accepted")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.pending, .accepted]
}

public struct CommunityReference: Codable, Hashable, Sendable {
    public var communityId: String
    public var name: String

    public init(communityId: String, name: String) {
        self.communityId = communityId
        self.name = name
    }
}

public struct Deletion: Codable, Hashable, Sendable {
    /// Required if the account has a password.
    public var password: String?

    public init(password: String? = nil) {
        self.password = password
    }
}

public struct Device: Codable, Hashable, Sendable {
    public var token: String
    public var platform: Platform
    public var app: String?
    public var createdAt: Date

    public init(token: String, platform: Platform, createdAt: Date, app: String? = nil) {
        self.token = token
        self.platform = platform
        self.app = app
        self.createdAt = createdAt
    }
}

public struct EmailConfirmation: Codable, Hashable, Sendable {
    /// 40 characters of base64url.
    public var token: String

    public init(token: String) {
        self.token = token
    }
}

public struct Embedding: Codable, Hashable, Sendable {
    public var postId: String
    /// A vector of length 1.
    public var vector: [Double]

    public init(postId: String, vector: [Double]) {
        self.postId = postId
        self.vector = vector
    }
}

public struct LogIn: Codable, Hashable, Sendable {
    public var email: String
    public var password: String
    /// Of an account with an authenticator, its code or a recovery code.
    public var code: String?

    public init(email: String, password: String, code: String? = nil) {
        self.email = email
        self.password = password
        self.code = code
    }
}

public struct LoginEvent: Codable, Hashable, Sendable {
    public var loginId: String
    public var outcome: LoginEventOutcome
    /// The address of the caller, as reported by trusted proxies.
    public var address: String?
    /// The `User-Agent` of the client; at most 256 bytes.
    public var userAgent: String?
    public var firstAt: Date
    public var lastAt: Date
    /// The number of occurrences.
    public var count: Int

    public init(
        loginId: String, outcome: LoginEventOutcome, firstAt: Date, lastAt: Date, count: Int, address: String? = nil,
        userAgent: String? = nil
    ) {
        self.loginId = loginId
        self.outcome = outcome
        self.address = address
        self.userAgent = userAgent
        self.firstAt = firstAt
        self.lastAt = lastAt
        self.count = count
    }
}

/// One of the known values, or one that a later server has added.
public struct LoginEventOutcome: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let success = Self(rawValue: "success")
    public static let wrongPassword = Self(rawValue: "wrong_password")
    public static let refreshTokenReused = Self(rawValue: "refresh_token_reused")
    public static let passwordChanged = Self(rawValue: "password_changed")
    public static let emailChanged = Self(rawValue: "email_changed")
    public static let wrongCode = Self(rawValue: "wrong_code")
    public static let totpEnabled = Self(rawValue: "totp_enabled")
    public static let totpRemoved = Self(rawValue: "totp_removed")

    /// The values that this version of the client knows.
    public static let known: [Self] = [
        .success, .wrongPassword, .refreshTokenReused, .passwordChanged, .emailChanged, .wrongCode, .totpEnabled,
        .totpRemoved,
    ]
}

public struct LoginPage: Codable, Hashable, Sendable {
    public var items: [LoginEvent]
    public var nextCursor: String?

    public init(items: [LoginEvent], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

/// Exactly one of the fields.
public struct ModerationSubject: Codable, Hashable, Sendable {
    public var postId: String?
    public var commentId: String?
    public var userId: String?
    public var communityId: String?
    public var reportId: String?
    public var appealId: String?

    public init(
        postId: String? = nil, commentId: String? = nil, userId: String? = nil, communityId: String? = nil,
        reportId: String? = nil, appealId: String? = nil
    ) {
        self.postId = postId
        self.commentId = commentId
        self.userId = userId
        self.communityId = communityId
        self.reportId = reportId
        self.appealId = appealId
    }
}

/// The actions in the modlog, including those of graphd itself.
public struct ModlogAction: OpenEnumeration {
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
    public static let undo = Self(rawValue: "undo")
    public static let expire = Self(rawValue: "expire")

    /// The values that this version of the client knows.
    public static let known: [Self] = [
        .removePost, .restorePost, .takedownPost, .reinstatePost, .holdPost, .approvePost, .pinPost, .unpinPost,
        .featurePost, .unfeaturePost, .removeComment, .restoreComment, .takedownComment, .reinstateComment,
        .holdComment, .approveComment, .banMember, .unbanMember, .setMemberRole, .approveRequest, .declineRequest,
        .lockCommunity, .unlockCommunity, .archiveCommunity, .unarchiveCommunity, .makeCommunityPrivate,
        .makeCommunityPublic, .renameCommunity, .transferCommunity, .warnUser, .silenceUser, .suspendUser,
        .reinstateUser, .setSiteRole, .claimReport, .releaseReport, .resolveReport, .decideAppeal, .undo, .expire,
    ]
}

public struct Mute: Codable, Hashable, Sendable {
    public var userId: String
    public var username: String
    public var posts: Bool
    public var reshares: Bool
    public var notifications: Bool
    /// The time at which it ends; `null`: never.
    public var expiresAt: Date?

    public init(
        userId: String, username: String, posts: Bool, reshares: Bool, notifications: Bool, expiresAt: Date? = nil
    ) {
        self.userId = userId
        self.username = username
        self.posts = posts
        self.reshares = reshares
        self.notifications = notifications
        self.expiresAt = expiresAt
    }
}

public struct MutedWord: Codable, Hashable, Sendable {
    public var mutedWordId: String
    public var word: String
    /// Whether `pear` leaves `pears` alone.
    public var wholeWord: Bool
    /// The time at which it ends; `null`: never.
    public var expiresAt: Date?

    public init(mutedWordId: String, word: String, wholeWord: Bool, expiresAt: Date? = nil) {
        self.mutedWordId = mutedWordId
        self.word = word
        self.wholeWord = wholeWord
        self.expiresAt = expiresAt
    }
}

public struct OwnAccount: Codable, Hashable, Sendable {
    public var userId: String
    public var username: String
    /// Empty if not set.
    public var displayName: String
    public var bio: String
    public var profilePicUrl: String?
    public var createdAt: Date
    public var updatedAt: Date
    public var followersCount: Int
    public var followingCount: Int
    public var postsCount: Int
    public var isBusiness: Bool
    /// Whether follows need approval and posts outside communities are for followers only.
    public var isPrivate: Bool
    /// `null` for imported users.
    public var email: String?
    /// Whether the address has proven to be the user's.
    public var emailConfirmed: Bool
    public var preferences: [String: JSONValue]
    /// The algorithm tags of the filter `algorithms=selected`, in the caller's order.
    public var selectedAlgorithms: [String]
    /// Whether followed topics are merged into the home timeline.
    public var homeTopics: Bool
    /// Whether joined communities are merged into the home timeline.
    public var homeCommunities: Bool
    /// Whose invitations to collaborate are accepted automatically.
    public var autoAcceptCollaborations: AutoAcceptCollaborations

    public init(
        userId: String, username: String, displayName: String, bio: String, createdAt: Date, updatedAt: Date,
        followersCount: Int, followingCount: Int, postsCount: Int, isBusiness: Bool, isPrivate: Bool,
        emailConfirmed: Bool, preferences: [String: JSONValue], selectedAlgorithms: [String], homeTopics: Bool,
        homeCommunities: Bool, autoAcceptCollaborations: AutoAcceptCollaborations, profilePicUrl: String? = nil,
        email: String? = nil
    ) {
        self.userId = userId
        self.username = username
        self.displayName = displayName
        self.bio = bio
        self.profilePicUrl = profilePicUrl
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.followersCount = followersCount
        self.followingCount = followingCount
        self.postsCount = postsCount
        self.isBusiness = isBusiness
        self.isPrivate = isPrivate
        self.email = email
        self.emailConfirmed = emailConfirmed
        self.preferences = preferences
        self.selectedAlgorithms = selectedAlgorithms
        self.homeTopics = homeTopics
        self.homeCommunities = homeCommunities
        self.autoAcceptCollaborations = autoAcceptCollaborations
    }
}

public struct OwnAppeal: Codable, Hashable, Sendable {
    public var appealId: String
    public var text: String
    public var createdAt: Date
    public var status: OwnAppealStatus
    public var decidedAt: Date?
    public var entryId: String

    public init(
        appealId: String, text: String, createdAt: Date, status: OwnAppealStatus, entryId: String,
        decidedAt: Date? = nil
    ) {
        self.appealId = appealId
        self.text = text
        self.createdAt = createdAt
        self.status = status
        self.decidedAt = decidedAt
        self.entryId = entryId
    }
}

/// One of the known values, or one that a later server has added.
public struct OwnAppealStatus: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let open = Self(rawValue: "open")
    public static let granted = Self(rawValue: "granted")
    public static let denied = Self(rawValue: "denied")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.open, .granted, .denied]
}

public struct OwnModlogEntry: Codable, Hashable, Sendable {
    public var entryId: String
    public var createdAt: Date
    public var action: ModlogAction
    public var subject: ModerationSubject
    public var community: CommunityReference?
    public var reason: String
    public var expiresAt: Date?
    public var endedBy: String?
    public var appeal: OwnModlogEntryAppeal?

    public init(
        entryId: String, createdAt: Date, action: ModlogAction, subject: ModerationSubject, reason: String,
        community: CommunityReference? = nil, expiresAt: Date? = nil, endedBy: String? = nil,
        appeal: OwnModlogEntryAppeal? = nil
    ) {
        self.entryId = entryId
        self.createdAt = createdAt
        self.action = action
        self.subject = subject
        self.community = community
        self.reason = reason
        self.expiresAt = expiresAt
        self.endedBy = endedBy
        self.appeal = appeal
    }
}

/// One of the known values, or one that a later server has added.
public struct OwnModlogEntryAppeal: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let open = Self(rawValue: "open")
    public static let granted = Self(rawValue: "granted")
    public static let denied = Self(rawValue: "denied")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.open, .granted, .denied]
}

public struct PasswordAndCodeProof: Codable, Hashable, Sendable {
    public var password: String?
    /// Of the authenticator, or a recovery code.
    public var code: String

    public init(code: String, password: String? = nil) {
        self.password = password
        self.code = code
    }
}

public struct PasswordChange: Codable, Hashable, Sendable {
    public var currentPassword: String?
    public var newPassword: String

    public init(newPassword: String, currentPassword: String? = nil) {
        self.currentPassword = currentPassword
        self.newPassword = newPassword
    }
}

public struct PasswordProof: Codable, Hashable, Sendable {
    public var password: String?

    public init(password: String? = nil) {
        self.password = password
    }
}

public struct PasswordReset: Codable, Hashable, Sendable {
    /// 40 characters of base64url.
    public var token: String
    public var newPassword: String

    public init(token: String, newPassword: String) {
        self.token = token
        self.newPassword = newPassword
    }
}

public struct PasswordResetRequest: Codable, Hashable, Sendable {
    public var email: String

    public init(email: String) {
        self.email = email
    }
}

/// One of the known values, or one that a later server has added.
public struct Platform: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let ios = Self(rawValue: "ios")
    public static let android = Self(rawValue: "android")
    public static let web = Self(rawValue: "web")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.ios, .android, .web]
}

public struct Post: Codable, Hashable, Sendable {
    public var postId: String
    public var author: Author
    public var viewer: Viewer?
    public var title: String?
    public var caption: String
    public var mediaUrl: String
    public var thumbnailUrl: String?
    /// Other forms of its file; absent if there are none.
    public var renditions: [Rendition]?
    public var category: String?
    public var algorithmTags: [String]
    public var collaborators: [Collaborator]
    public var link: String?
    public var visibility: PostVisibility
    public var communityId: String?
    public var likesCount: Int
    public var commentsCount: Int
    public var attributes: [String: JSONValue]
    public var sharesCount: Int
    public var createdAt: Date
    public var updatedAt: Date
    /// True if it is held for review, invisible to others; absent otherwise.
    public var held: Bool?

    public init(
        postId: String, author: Author, caption: String, mediaUrl: String, algorithmTags: [String],
        collaborators: [Collaborator], visibility: PostVisibility, likesCount: Int, commentsCount: Int,
        attributes: [String: JSONValue], sharesCount: Int, createdAt: Date, updatedAt: Date, viewer: Viewer? = nil,
        title: String? = nil, thumbnailUrl: String? = nil, renditions: [Rendition]? = nil, category: String? = nil,
        link: String? = nil, communityId: String? = nil, held: Bool? = nil
    ) {
        self.postId = postId
        self.author = author
        self.viewer = viewer
        self.title = title
        self.caption = caption
        self.mediaUrl = mediaUrl
        self.thumbnailUrl = thumbnailUrl
        self.renditions = renditions
        self.category = category
        self.algorithmTags = algorithmTags
        self.collaborators = collaborators
        self.link = link
        self.visibility = visibility
        self.communityId = communityId
        self.likesCount = likesCount
        self.commentsCount = commentsCount
        self.attributes = attributes
        self.sharesCount = sharesCount
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.held = held
    }
}

/// One of the known values, or one that a later server has added.
public struct PostVisibility: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let `public` = Self(rawValue: "public")
    public static let followers = Self(rawValue: "followers")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.public, .followers]
}

public struct ProfileChange: Codable, Hashable, Sendable {
    public var username: String?
    /// An empty string removes it.
    public var displayName: String?
    /// An empty string removes it.
    public var bio: String?
    /// Like `Url`; `null` removes the picture.
    public var profilePicUrl: Change<String>?
    public var profilePicData: String?
    public var email: String?
    /// Required to change `email`.
    public var currentPassword: String?
    /// Whose invitations to collaborate are accepted automatically: nobody's (the default), or those of authors
    /// whom the caller follows.
    public var autoAcceptCollaborations: AutoAcceptCollaborations?
    public var isBusiness: Bool?
    /// Makes the account private: a follow needs approval, and posts outside communities are for followers only.
    /// Making it public approves all waiting requests.
    public var isPrivate: Bool?
    /// Replaces the whole map.
    public var preferences: [String: JSONValue]?
    /// Replaces the former tags; at most 50, counted before duplicates are removed.
    public var selectedAlgorithms: [String]?
    public var homeTopics: Bool?
    public var homeCommunities: Bool?

    public init(
        username: String? = nil, displayName: String? = nil, bio: String? = nil, profilePicUrl: Change<String>? = nil,
        profilePicData: String? = nil, email: String? = nil, currentPassword: String? = nil,
        autoAcceptCollaborations: AutoAcceptCollaborations? = nil, isBusiness: Bool? = nil, isPrivate: Bool? = nil,
        preferences: [String: JSONValue]? = nil, selectedAlgorithms: [String]? = nil, homeTopics: Bool? = nil,
        homeCommunities: Bool? = nil
    ) {
        self.username = username
        self.displayName = displayName
        self.bio = bio
        self.profilePicUrl = profilePicUrl
        self.profilePicData = profilePicData
        self.email = email
        self.currentPassword = currentPassword
        self.autoAcceptCollaborations = autoAcceptCollaborations
        self.isBusiness = isBusiness
        self.isPrivate = isPrivate
        self.preferences = preferences
        self.selectedAlgorithms = selectedAlgorithms
        self.homeTopics = homeTopics
        self.homeCommunities = homeCommunities
    }
}

/// One of the known values, or one that a later server has added.
public struct PushKind: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let like = Self(rawValue: "like")
    public static let comment = Self(rawValue: "comment")
    public static let share = Self(rawValue: "share")
    public static let follow = Self(rawValue: "follow")
    public static let mention = Self(rawValue: "mention")
    public static let collaboration = Self(rawValue: "collaboration")
    public static let followRequest = Self(rawValue: "follow_request")
    public static let followAccepted = Self(rawValue: "follow_accepted")
    public static let moderation = Self(rawValue: "moderation")
    public static let newVideo = Self(rawValue: "newVideo")
    public static let reminder = Self(rawValue: "reminder")
    public static let trending = Self(rawValue: "trending")

    /// The values that this version of the client knows.
    public static let known: [Self] = [
        .like, .comment, .share, .follow, .mention, .collaboration, .followRequest, .followAccepted, .moderation,
        .newVideo, .reminder, .trending,
    ]
}

public struct PushSettings: Codable, Hashable, Sendable {
    public var optOut: [PushKind]
    /// Without a registered device, push messages go to the FCM topic `fitness_updates_<userId>`.
    public var topic: Bool
    public var quietHours: QuietHours?

    public init(optOut: [PushKind], topic: Bool, quietHours: QuietHours? = nil) {
        self.optOut = optOut
        self.topic = topic
        self.quietHours = quietHours
    }
}

/// A daily period, which may pass midnight.
public struct QuietHours: Codable, Hashable, Sendable {
    public var start: String
    public var end: String
    public var timeZone: String

    public init(start: String, end: String, timeZone: String) {
        self.start = start
        self.end = end
        self.timeZone = timeZone
    }
}

public struct RecoveryCodes: Codable, Hashable, Sendable {
    public var recoveryCodes: [String]

    public init(recoveryCodes: [String]) {
        self.recoveryCodes = recoveryCodes
    }
}

public struct RefreshRequest: Codable, Hashable, Sendable {
    public var refreshToken: String

    public init(refreshToken: String) {
        self.refreshToken = refreshToken
    }
}

public struct Reminder: Codable, Hashable, Sendable {
    public var kind: ReminderKind
    public var time: String
    public var weekdays: [Weekdays]
    public var timeZone: String

    public init(kind: ReminderKind, time: String, weekdays: [Weekdays], timeZone: String) {
        self.kind = kind
        self.time = time
        self.weekdays = weekdays
        self.timeZone = timeZone
    }
}

/// One of the known values, or one that a later server has added.
public struct ReminderKind: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let newRoutines = Self(rawValue: "newRoutines")
    public static let trendingDiscussions = Self(rawValue: "trendingDiscussions")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.newRoutines, .trendingDiscussions]
}

public struct Rendition: Codable, Hashable, Sendable {
    public var name: String
    public var url: String
    public var contentType: String
    /// Pixels; null for a form with several sizes.
    public var width: Int?
    public var height: Int?
    /// Bits a second.
    public var bitrate: Int?

    public init(
        name: String, url: String, contentType: String, width: Int? = nil, height: Int? = nil, bitrate: Int? = nil
    ) {
        self.name = name
        self.url = url
        self.contentType = contentType
        self.width = width
        self.height = height
        self.bitrate = bitrate
    }
}

public struct SavedPost: Codable, Hashable, Sendable {
    public var postId: String
    public var savedAt: Date

    public init(postId: String, savedAt: Date) {
        self.postId = postId
        self.savedAt = savedAt
    }
}

public struct Session: Codable, Hashable, Sendable {
    public var userId: String
    /// A JSON Web Token, to be sent in `Authorization: Bearer`.
    public var token: String
    public var expiresAt: Date
    /// A single-use token for `POST /v1/auth/refresh`.
    public var refreshToken: String
    public var refreshExpiresAt: Date

    public init(userId: String, token: String, expiresAt: Date, refreshToken: String, refreshExpiresAt: Date) {
        self.userId = userId
        self.token = token
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
        self.refreshExpiresAt = refreshExpiresAt
    }
}

public struct SessionList: Codable, Hashable, Sendable {
    public var items: [ActiveSession]

    public init(items: [ActiveSession]) {
        self.items = items
    }
}

public struct SignUp: Codable, Hashable, Sendable {
    /// An email address of at most 254 visible ASCII characters: at most 64 before the `@`, and a domain of at
    /// least two labels.
    public var email: String
    public var password: String
    public var username: String
    public var displayName: String?
    public var profilePicData: String?

    public init(
        email: String, password: String, username: String, displayName: String? = nil, profilePicData: String? = nil
    ) {
        self.email = email
        self.password = password
        self.username = username
        self.displayName = displayName
        self.profilePicData = profilePicData
    }
}

public struct UserReference: Codable, Hashable, Sendable {
    public var userId: String
    public var username: String

    public init(userId: String, username: String) {
        self.userId = userId
        self.username = username
    }
}

/// The caller's relation to the item: to a post itself, and to the post of a notification. Nobody can like, save or
/// reshare a comment. `null` in exports and for deleted comments.
public struct Viewer: Codable, Hashable, Sendable {
    public var liked: Bool
    public var saved: Bool
    public var reshared: Bool
    /// The caller follows the author.
    public var following: Bool
    /// The caller published the item, or is an accepted collaborator.
    public var isAuthor: Bool

    public init(liked: Bool, saved: Bool, reshared: Bool, following: Bool, isAuthor: Bool) {
        self.liked = liked
        self.saved = saved
        self.reshared = reshared
        self.following = following
        self.isAuthor = isAuthor
    }
}

public struct Webhook: Codable, Hashable, Sendable {
    public var webhookId: String
    public var url: String
    public var events: [PushKind]
    public var createdAt: Date
    /// The time at which the receiver answered 410.
    public var disabledAt: Date?

    public init(webhookId: String, url: String, events: [PushKind], createdAt: Date, disabledAt: Date? = nil) {
        self.webhookId = webhookId
        self.url = url
        self.events = events
        self.createdAt = createdAt
        self.disabledAt = disabledAt
    }
}

/// One of the known values, or one that a later server has added.
public struct Weekdays: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let monday = Self(rawValue: "monday")
    public static let tuesday = Self(rawValue: "tuesday")
    public static let wednesday = Self(rawValue: "wednesday")
    public static let thursday = Self(rawValue: "thursday")
    public static let friday = Self(rawValue: "friday")
    public static let saturday = Self(rawValue: "saturday")
    public static let sunday = Self(rawValue: "sunday")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday]
}
