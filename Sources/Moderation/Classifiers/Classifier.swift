import Database
import SocialGraph

/// A classifier's verdict on a post or comment.
package enum ClassifierVerdict: String, Sendable, CaseIterable {
    case allow, hold, flag, remove

    /// The action to take; nil for none.
    var action: RuleAction? { RuleAction(rawValue: rawValue) }
}

/// An external program that judges posts and comments, called with signed requests.
package struct Classifier: Sendable, Equatable {
    package let id: ClassifierID
    /// The community; nil for the whole site.
    package let community: CommunityID?
    package let name: String
    package let url: String
    /// The key that signs calls (HMAC-SHA256).
    package let secret: [UInt8]
    /// The time-out in milliseconds.
    package let timeout: Int64
    /// The verdict if no answer arrives within the time-out.
    package let fallback: ClassifierVerdict
    package let isEnabled: Bool
    /// The time of creation in milliseconds since 1970.
    package let createdAt: Int64

    /// True if content is hidden until the answer arrives.
    var holdsMeanwhile: Bool { fallback == .hold || fallback == .remove }
}

/// The fields of a classifier to create.
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

/// The changed fields of a classifier. Nil leaves a field unchanged.
package struct ClassifierChange: Sendable {
    package var name: String?
    package var url: String?
    package var timeout: Int64?
    package var fallback: ClassifierVerdict?
    package var isEnabled: Bool?

    package init() {}
}

/// A call to a classifier, taken by a worker.
package struct Classification: Sendable, Equatable {
    package let id: Int64
    /// The classifier. If it was deleted or switched off, this is nil and its fallback applies.
    package let classifier: Classifier?
    package let fallback: ClassifierVerdict
    /// The classifier's community; nil for the site.
    package let community: CommunityID?
    package let subject: ModerationSubject
    /// The time at which the fallback applies, in milliseconds since 1970.
    package let dueAt: Int64
    /// The number of attempts, including this one.
    package let attempts: Int64
    /// The content to judge.
    package let content: Content

    package enum Content: Sendable, Equatable {
        case post(Post)
        case comment(PostComment, community: CommunityID?)
    }
}

/// A classifier's answer.
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
