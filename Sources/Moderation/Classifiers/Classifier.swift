import Database
import SocialGraph

/// What a classifier says of a post or comment.
package enum ClassifierVerdict: String, Sendable, CaseIterable {
    case allow, hold, flag, remove

    /// What is to be done; nil: nothing.
    var action: RuleAction? { RuleAction(rawValue: rawValue) }
}

/// A program outside that is asked about what is written, by signed calls.
package struct Classifier: Sendable, Equatable {
    package let id: ClassifierID
    /// Nil: of the whole site.
    package let community: CommunityID?
    package let name: String
    package let url: String
    /// What calls are signed with (HMAC-SHA256).
    package let secret: [UInt8]
    /// In milliseconds.
    package let timeout: Int64
    /// What holds where no answer comes in that time.
    package let fallback: ClassifierVerdict
    package let isEnabled: Bool
    /// Milliseconds since 1970.
    package let createdAt: Int64

    /// Whether what it is asked about waits for the answer unseen.
    var holdsMeanwhile: Bool { fallback == .hold || fallback == .remove }
}

/// A classifier as it is asked for.
package struct NewClassifier: Sendable {
    package var community: CommunityID?
    package var name: String
    package var url: String
    package var secret: [UInt8]
    package var timeout: Int64
    package var fallback: ClassifierVerdict
    package var isEnabled: Bool

    package init(
        _ name: String, url: String, secret: [UInt8], timeout: Int64, fallback: ClassifierVerdict,
        community: CommunityID? = nil, isEnabled: Bool = true
    ) {
        self.community = community
        self.name = name
        self.url = url
        self.secret = secret
        self.timeout = timeout
        self.fallback = fallback
        self.isEnabled = isEnabled
    }
}

/// What is changed of a classifier; nil stays as it is.
package struct ClassifierChange: Sendable {
    package var name: String?
    package var url: String?
    package var timeout: Int64?
    package var fallback: ClassifierVerdict?
    package var isEnabled: Bool?

    package init() {}
}

/// A question that was taken to be put to a classifier.
package struct Classification: Sendable, Equatable {
    package let id: Int64
    /// Nil: gone or switched off; its fallback holds.
    package let classifier: Classifier?
    package let fallback: ClassifierVerdict
    /// The classifier's community; nil: the site.
    package let community: CommunityID?
    package let subject: ModerationSubject
    /// When its fallback holds, in milliseconds since 1970.
    package let dueAt: Int64
    /// This one included.
    package let attempts: Int64
    /// What it is about.
    package let content: Content

    package enum Content: Sendable, Equatable {
        case post(Post)
        case comment(PostComment, community: CommunityID?)
    }
}

/// What has come of asking.
package struct ClassifierAnswer: Sendable, Equatable {
    package var verdict: ClassifierVerdict
    package var reason: String?
    package var labels: [String]

    package init(_ verdict: ClassifierVerdict, reason: String? = nil, labels: [String] = []) {
        self.verdict = verdict
        self.reason = reason
        self.labels = labels
    }
}
