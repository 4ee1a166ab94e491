/// What the graph refuses. `code` is stable; `message` is safe to show to a client and says what would be right.
package enum GraphError: Error, Equatable {
    case usernameTaken(String)
    case emailTaken
    case accountNotFound
    case postNotFound
    case selfFollow
    case notAuthor
    case unknownCollaborator(String)
    case selfCollaboration
    case idempotencyKeyReused
    /// The write queue is full.
    case busy
    /// The disk or the database engine failed; the whole commit group failed with it. `detail` is for the log only.
    case storage(detail: String)
    case idSpaceExhausted

    package var code: String {
        switch self {
        case .usernameTaken: "username_taken"
        case .emailTaken: "email_taken"
        case .accountNotFound: "user_not_found"
        case .postNotFound: "post_not_found"
        case .selfFollow: "self_follow"
        case .notAuthor: "not_author"
        case .unknownCollaborator: "unknown_collaborator"
        case .selfCollaboration: "self_collaboration"
        case .idempotencyKeyReused: "idempotency_key_reused"
        case .busy: "busy"
        case .storage: "storage_unavailable"
        case .idSpaceExhausted: "id_space_exhausted"
        }
    }

    package var message: String {
        switch self {
        case .usernameTaken(let name): "The username \"\(name)\" is taken. Choose another."
        case .emailTaken: "An account with this email address exists. Log in instead."
        case .accountNotFound: "There is no such user."
        case .postNotFound: "There is no such post."
        case .selfFollow: "Users cannot follow themselves. Name another user."
        case .notAuthor: "Only the author of a post may delete it."
        case .unknownCollaborator(let id): "The collaborator \"\(id)\" is not a user. Name users by their ids."
        case .selfCollaboration: "The author is an author already. Leave your own id out of collaborators."
        case .idempotencyKeyReused: "This Idempotency-Key was used with another request. Choose a new key."
        case .busy: "Too many writes are waiting. Try again shortly."
        case .storage: "The database cannot be written at the moment. Try again shortly."
        case .idSpaceExhausted: "No ids are left."
        }
    }
}
