import Timeline

/// Limits of budgets that apply to clients of the API. The rates are those of ``RateBudget/standard``, the numbers of
/// concurrent uses those of ``SlotBudget/limit``; the table of limits in docs/limits.md has a row for each.
package enum BudgetLimits {
    /// Seconds after which a client refused by a full queue should try again.
    static let busyRetrySeconds: Int64 = 1
    /// Seconds after which a client refused by full slots should try again.
    package static let slotRetrySeconds: Int64 = 5
    /// Concurrent reads, over all callers, that examine far more rows than they return. Fewer than the database has
    /// readers, so that plain reads find one.
    static let heavyReadsAtOnce = 3
    /// Concurrent reads of that kind by one caller.
    static let heavyReadsPerCaller = 2
    /// Reads of that kind that wait.
    static let heavyReadsWaiting = 4_096
}

/// A rate, by its name in `RateLimit-Policy`.
package enum RateBudget: String, Sendable, CaseIterable {
    /// All requests of a caller; off unless the operator sets `rateLimit`.
    case requests
    // Limits of an address.
    case signUps
    case logIns
    case refreshes
    case mails
    /// Limit of one account from one address.
    case wrongPasswords
    /// Limit of one account, from all addresses together: a code is short.
    case wrongCodes
    // Limits of a user.
    case posts
    case edits
    case comments
    case follows
    case reactions
    case invitations
    case reports
    case uploads
    case exports
    case searches
    case recommendations
    case watches
    case transcripts
    case communities
    case moderation
    /// The subjects of orders and undos, each of which is one act of ``moderation``.
    case moderationSubjects
    case queues
    case rules
    case settings

    /// The rate unless an operator sets another one; nil for none.
    package var standard: Rate? {
        switch self {
        case .requests: nil
        case .signUps: Rate(60, per: .seconds(60))
        case .logIns: Rate(300, per: .seconds(60))
        case .refreshes: Rate(600, per: .seconds(60))
        case .mails: Rate(30, per: .seconds(600))
        case .wrongPasswords: Rate(10, per: .seconds(300))
        case .wrongCodes: Rate(10, per: .seconds(3_600))
        case .posts: Rate(600, per: .seconds(60))
        case .edits: Rate(1_200, per: .seconds(60))
        case .comments: Rate(600, per: .seconds(60))
        case .follows: Rate(600, per: .seconds(60))
        case .reactions: Rate(1_200, per: .seconds(60))
        case .invitations: Rate(300, per: .seconds(60))
        case .reports: Rate(60, per: .seconds(60))
        case .uploads: Rate(120, per: .seconds(60))
        case .exports: Rate(10, per: .seconds(600))
        case .searches: Rate(600, per: .seconds(60))
        case .recommendations: Rate(600, per: .seconds(60))
        case .watches: Rate(1_200, per: .seconds(60))
        case .transcripts: Rate(300, per: .seconds(60))
        case .communities: Rate(300, per: .seconds(60))
        case .moderation: Rate(1_200, per: .seconds(60))
        case .moderationSubjects: Rate(30_000, per: .seconds(60))
        case .queues: Rate(600, per: .seconds(60))
        case .rules: Rate(120, per: .seconds(60))
        case .settings: Rate(300, per: .seconds(60))
        }
    }

    /// True if it is counted by address even for a user.
    package var isByAddress: Bool { [.signUps, .logIns, .refreshes, .mails].contains(self) }

    /// True if an act is a read that may examine far more rows than it returns.
    package var isHeavyRead: Bool { [.searches, .recommendations, .queues, .rules].contains(self) }

    /// The acts in a sentence: "Too many … in 60 s".
    var noun: String {
        switch self {
        case .requests: "requests"
        case .signUps: "new accounts"
        case .logIns: "log-ins"
        case .refreshes: "session refreshes"
        case .mails: "requests for mail"
        case .wrongPasswords: "wrong passwords"
        case .wrongCodes: "wrong codes"
        case .posts: "posts"
        case .edits: "edits and deletions"
        case .comments: "comments"
        case .follows: "follows, blocks and mutes"
        case .reactions: "likes, shares and saves"
        case .invitations: "invitations"
        case .reports: "reports and appeals"
        case .uploads: "uploads"
        case .exports: "exports"
        case .searches: "searches"
        case .recommendations: "recommendations"
        case .watches: "watch reports"
        case .transcripts: "transcripts, segments, embeddings and jumps"
        case .communities: "community changes"
        case .moderation: "moderation actions"
        case .moderationSubjects: "subjects of moderation actions"
        case .queues: "pages of queues"
        case .rules: "rule changes and dry runs"
        case .settings: "account changes"
        }
    }
}

/// Resources that a caller may hold in a limited number at once.
package enum SlotBudget: String, Sendable, CaseIterable {
    case postStreams
    case homeStreams
    case exports
    case uploads
    case downloads
    /// Bodies of sign-ups whose size shows that they include a picture.
    case signUpPictures
    /// Bodies of changes of a user's account whose size shows the same.
    case profilePictures

    package var limit: SlotLimit {
        switch self {
        case .postStreams:
            SlotLimit(perHolder: TimelineLimits.postStreamsPerReader, total: TimelineLimits.postStreams)
        case .homeStreams: SlotLimit(perHolder: TimelineLimits.streamsPerReader, total: TimelineLimits.streams)
        case .exports: SlotLimit(perHolder: 1, perAddress: 3, total: 4)
        case .uploads:
            SlotLimit(
                perHolder: RequestLimits.uploadsPerUser, perAddress: RequestLimits.uploads / 2,
                total: RequestLimits.uploads)
        case .downloads:
            SlotLimit(
                perHolder: RequestLimits.downloadsPerUser, perAddress: RequestLimits.downloads / 2,
                total: RequestLimits.downloads)
        case .signUpPictures: SlotLimit(perHolder: 2, perAddress: 2, total: 8)
        case .profilePictures: SlotLimit(perHolder: 2, perAddress: 4, total: 8)
        }
    }

    /// The things in a sentence: "At most 16 … at once".
    var noun: String {
        switch self {
        case .postStreams: "post streams"
        case .homeStreams: "streams"
        case .exports: "exports"
        case .uploads: "uploads"
        case .downloads: "downloads"
        case .signUpPictures: "sign-ups with a picture"
        case .profilePictures: "changes of the account with a picture"
        }
    }
}
