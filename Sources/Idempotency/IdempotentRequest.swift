import SocialGraph

/// The identity of a request that a client may repeat: two requests that agree in all of it are one.
package struct IdempotentRequest: Sendable, Equatable {
    package let user: UserID
    package let key: String
    /// Method and path: `POST /v1/posts`.
    package let operation: String

    package init(user: UserID, key: String, operation: String) {
        self.user = user
        self.key = key
        self.operation = operation
    }
}

/// An answer as it is repeated: status, `Location` and the bytes of a JSON body.
package struct KeptAnswer: Sendable, Equatable {
    package let status: Int
    package let location: String?
    package let body: [UInt8]
    /// The content that the request created, if its author can delete it.
    package let created: CreatedContent?

    package init(status: Int, location: String? = nil, body: [UInt8], created: CreatedContent? = nil) {
        self.status = status
        self.location = location
        self.body = body
        self.created = created
    }
}

/// Content that its author can delete. Its answer is not repeated after that.
package enum CreatedContent: Sendable, Equatable {
    case post(PostID)
    case comment(CommentID)

    /// The content that a write has returned; nil for other things.
    package init?(_ value: some Sendable) {
        switch value {
        case let post as Post: self = .post(post.id)
        case let comment as PostComment: self = .comment(comment.id)
        default: return nil
        }
    }
}

/// An answered request, as it is remembered.
package struct KeptRequest: Sendable, Equatable {
    /// Digest of the body.
    package let fingerprint: [UInt8]
    package let answer: KeptAnswer
    /// The content that the request created has been deleted.
    package let isDeleted: Bool
}

/// Reasons to write nothing for a request with a key.
package enum IdempotencyRefusal: Error, Equatable {
    /// The request, or another one with its key, has been answered already.
    case answered(KeptRequest)
    /// The user's keys are used up until the oldest is forgotten.
    case tooManyKeys(secondsUntilRoom: Int)
    /// The answer has more than ``IdempotencyLimits/answerBytes``, so it could not be repeated.
    case answerTooLarge(bytes: Int)
}
