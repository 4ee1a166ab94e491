import HTTPTypes
import Hummingbird

/// The stable code of a problem answer. Clients switch over it, so a case is never renamed or given another meaning.
///
/// This file is the one place that maps what went wrong to an HTTP status.
enum ProblemCode: String, Sendable, CaseIterable {
    // The shape of the request is wrong.
    case invalidJSON = "invalid_json"
    case unknownField = "unknown_field"
    case duplicateField = "duplicate_field"
    case missingField = "missing_field"
    case invalidType = "invalid_type"
    case unknownParameter = "unknown_parameter"
    case repeatedParameter = "repeated_parameter"
    case invalidParameter = "invalid_parameter"
    case invalidLimit = "invalid_limit"
    case invalidCursor = "invalid_cursor"
    case invalidHeader = "invalid_header"
    case badRequest = "bad_request"
    case selfFollow = "self_follow"
    case selfBlock = "self_block"
    case selfMute = "self_mute"
    case selfCollaboration = "self_collaboration"
    case requestTimeout = "request_timeout"
    case bodyTooLarge = "body_too_large"
    case unsupportedMediaType = "unsupported_media_type"
    case malformedMultipart = "malformed_multipart"
    case invalidTranscript = "invalid_transcript"
    case cursorExpired = "cursor_expired"
    case dimensionMismatch = "dimension_mismatch"
    case rangeNotSatisfiable = "range_not_satisfiable"

    // The shape is right and a value is not.
    case tooLong = "too_long"
    case tooMany = "too_many"
    case invalidURL = "invalid_url"
    case invalidEmail = "invalid_email"
    case invalidUsername = "invalid_username"
    case reservedUsername = "reserved_username"
    case invalidValue = "invalid_value"
    case weakPassword = "weak_password"
    case threadTooDeep = "thread_too_deep"
    case unsupportedMedia = "unsupported_media"
    case notInCollection = "not_in_collection"
    case invalidOrder = "invalid_order"

    // Who is asking, and whether they may.
    case tokenMissing = "token_missing"
    case tokenInvalid = "token_invalid"
    case tokenExpired = "token_expired"
    case wrongCredentials = "wrong_credentials"
    case refreshTokenInvalid = "refresh_token_invalid"
    case passwordRequired = "password_required"
    case recentLoginRequired = "recent_login_required"
    case forbidden = "forbidden"
    case notAllowed = "not_allowed"
    case notMember = "not_member"
    case banned = "banned"
    case communityLocked = "community_locked"
    case communityArchived = "community_archived"
    case accountSuspended = "account_suspended"
    case notPermitted = "not_permitted"
    case outranked = "outranked"
    case ownAffair = "own_affair"
    case siteDecision = "site_decision"
    case neverMember = "never_member"
    case notModerator = "not_moderator"
    case notBusiness = "not_business"
    case rateLimited = "rate_limited"

    // The thing asked for.
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case conflict = "conflict"
    case usernameTaken = "username_taken"
    case emailTaken = "email_taken"
    case userNotFound = "user_not_found"
    case postNotFound = "post_not_found"
    case communityNotFound = "community_not_found"
    case commentNotFound = "comment_not_found"
    case mediaNotFound = "media_not_found"
    case notificationNotFound = "notification_not_found"
    case joinRequestNotFound = "join_request_not_found"
    case collectionNotFound = "collection_not_found"
    case transcriptNotFound = "transcript_not_found"
    case noSuchPart = "no_such_part"
    case embeddingNotFound = "embedding_not_found"
    case subjectNotFound = "subject_not_found"
    case batchNotFound = "batch_not_found"
    case reportNotFound = "report_not_found"
    case appealNotFound = "appeal_not_found"
    case ruleNotFound = "rule_not_found"
    case classifierNotFound = "classifier_not_found"
    case notApplicable = "not_applicable"
    case claimedByAnother = "claimed_by_another"
    case alreadyDecided = "already_decided"
    case notAppealable = "not_appealable"
    case communityNameTaken = "community_name_taken"
    case collectionNameTaken = "collection_name_taken"
    case ownerCannotLeave = "owner_cannot_leave"
    case notInvited = "not_invited"
    case notCollaborator = "not_collaborator"
    case limitReached = "limit_reached"
    case refusedByRule = "refused_by_rule"
    case embeddingDimensionUnset = "embedding_dimension_unset"
    case uploadQuotaExceeded = "upload_quota_exceeded"
    case idempotencyKeyReused = "idempotency_key_reused"
    case unknownCollaborator = "unknown_collaborator"
    case notAuthor = "not_author"

    // The server's own troubles.
    case busy = "busy"
    case insufficientStorage = "insufficient_storage"
    case storageFull = "storage_full"
    case unavailable = "unavailable"
    case `internal` = "internal"

    /// The HTTP status that answers with this code carry.
    var status: HTTPResponse.Status {
        switch self {
        case .invalidJSON, .unknownField, .duplicateField, .missingField, .invalidType, .unknownParameter,
            .repeatedParameter, .invalidParameter, .invalidLimit, .invalidCursor, .invalidHeader, .badRequest,
            .selfFollow, .selfBlock, .selfMute, .selfCollaboration, .malformedMultipart, .invalidTranscript,
            .dimensionMismatch:
            .badRequest
        case .requestTimeout: .requestTimeout
        case .bodyTooLarge: .contentTooLarge
        case .cursorExpired: .gone
        case .rangeNotSatisfiable: .rangeNotSatisfiable
        case .unsupportedMediaType: .unsupportedMediaType
        case .tooLong, .tooMany, .invalidURL, .invalidEmail, .invalidUsername, .reservedUsername, .invalidValue,
            .weakPassword, .idempotencyKeyReused, .unknownCollaborator, .threadTooDeep, .unsupportedMedia,
            .notInCollection, .refusedByRule,
            .invalidOrder:
            .unprocessableContent
        case .tokenMissing, .tokenInvalid, .tokenExpired, .wrongCredentials, .refreshTokenInvalid: .unauthorized
        case .forbidden, .notAuthor, .notAllowed, .notMember, .banned, .communityLocked, .notModerator, .notBusiness,
            .communityArchived, .accountSuspended, .passwordRequired, .recentLoginRequired, .notPermitted, .outranked,
            .ownAffair, .siteDecision, .neverMember:
            .forbidden
        case .rateLimited: .tooManyRequests
        case .notFound, .userNotFound, .postNotFound, .communityNotFound, .notInvited, .notCollaborator,
            .commentNotFound, .mediaNotFound, .notificationNotFound, .joinRequestNotFound, .collectionNotFound,
            .transcriptNotFound, .noSuchPart, .embeddingNotFound, .subjectNotFound, .batchNotFound, .reportNotFound,
            .appealNotFound, .ruleNotFound, .classifierNotFound:
            .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .conflict, .usernameTaken, .emailTaken, .communityNameTaken, .collectionNameTaken, .ownerCannotLeave,
            .limitReached, .embeddingDimensionUnset, .uploadQuotaExceeded, .notApplicable, .claimedByAnother,
            .alreadyDecided, .notAppealable:
            .conflict
        case .busy, .unavailable, .storageFull: .serviceUnavailable
        case .insufficientStorage: .init(code: 507, reasonPhrase: "Insufficient Storage")
        case .internal: .internalServerError
        }
    }

    /// A short summary that is the same for every occurrence.
    var title: String {
        switch self {
        case .invalidJSON: "The body is not the JSON object expected"
        case .unknownField: "The body has a field that is not known here"
        case .duplicateField: "The body has a field twice"
        case .missingField: "A required field is missing"
        case .invalidType: "A field has the wrong type"
        case .unknownParameter: "The query has a parameter that is not known here"
        case .repeatedParameter: "A query parameter is given more than once"
        case .invalidParameter: "A query parameter is malformed"
        case .invalidLimit: "The limit is out of range"
        case .invalidCursor: "The cursor is not one that this server gave out"
        case .invalidHeader: "A request header is malformed"
        case .badRequest: "The request is malformed"
        case .selfFollow: "Nobody can follow themselves"
        case .selfBlock: "Nobody can block themselves"
        case .selfMute: "Nobody can mute themselves"
        case .selfCollaboration: "Nobody is their own collaborator"
        case .requestTimeout: "The request took too long to arrive"
        case .bodyTooLarge: "The body is too large"
        case .unsupportedMediaType: "The body's media type is not supported"
        case .malformedMultipart: "The body is not the multipart/form-data expected"
        case .invalidTranscript: "The body is not a transcript that can be read"
        case .cursorExpired: "What the cursor names is not kept any more"
        case .dimensionMismatch: "The vector has another dimension than those of this server"
        case .rangeNotSatisfiable: "The file does not have that range"
        case .threadTooDeep: "A reply would be nested too deep"
        case .unsupportedMedia: "A file is not of a kind that is accepted"
        case .refreshTokenInvalid: "The refresh token is not valid"
        case .notModerator: "This is for the community's moderators"
        case .notBusiness: "This is for business accounts"
        case .commentNotFound: "There is no such comment"
        case .mediaNotFound: "There is no such file"
        case .notificationNotFound: "There is no such notification"
        case .joinRequestNotFound: "There is no such request to join"
        case .transcriptNotFound: "The video has no transcript"
        case .noSuchPart: "The video has no such part"
        case .embeddingNotFound: "The post has no embedding"
        case .insufficientStorage: "There is no room for the file"
        case .storageFull: "The server's disk is full"
        case .uploadQuotaExceeded: "The caller has stored as much as one user may"
        case .tooLong: "A value is too long"
        case .tooMany: "A list has too many entries"
        case .invalidURL: "A value is not an acceptable URL"
        case .invalidEmail: "A value is not an email address"
        case .invalidUsername: "A value is not an acceptable username"
        case .invalidValue: "A value is not acceptable"
        case .reservedUsername: "The username is reserved"
        case .weakPassword: "The password is too weak"
        case .tokenMissing: "A bearer token is required"
        case .tokenInvalid: "The bearer token is not valid"
        case .tokenExpired: "The bearer token has expired"
        case .wrongCredentials: "The email address or the password is wrong"
        case .passwordRequired: "The password is required"
        case .recentLoginRequired: "A recent log-in is required"
        case .forbidden: "This is not allowed"
        case .notAllowed: "This is not possible between the two users"
        case .notMember: "This is for members of the community"
        case .banned: "The caller is banned from the community"
        case .communityLocked: "The community is locked"
        case .communityArchived: "The community is archived"
        case .accountSuspended: "The caller's account is suspended"
        case .notPermitted: "The caller's roles do not allow this"
        case .outranked: "The user's role is as high as the caller's"
        case .ownAffair: "Nobody moderates themselves"
        case .siteDecision: "The site has decided this"
        case .neverMember: "The user has never been in the community"
        case .subjectNotFound: "There is no such subject"
        case .batchNotFound: "There is no such batch"
        case .reportNotFound: "There is no such report"
        case .appealNotFound: "There is no such appeal"
        case .ruleNotFound: "There is no such rule"
        case .classifierNotFound: "There is no such classifier"
        case .notApplicable: "The action is not for such a subject"
        case .claimedByAnother: "Another moderator has claimed it"
        case .alreadyDecided: "The case is closed"
        case .notAppealable: "There is nothing to appeal against"
        case .invalidOrder: "The order is not right"
        case .rateLimited: "Too many requests"
        case .notFound: "There is nothing here"
        case .methodNotAllowed: "The method is not allowed here"
        case .conflict: "The request conflicts with the present state"
        case .usernameTaken: "The username is taken"
        case .emailTaken: "The email address is taken"
        case .userNotFound: "There is no such user"
        case .postNotFound: "There is no such post"
        case .communityNotFound: "There is no such community"
        case .communityNameTaken: "The community's name is taken"
        case .collectionNotFound: "There is no such collection"
        case .collectionNameTaken: "The collection's name is taken"
        case .notInCollection: "The collection does not hold the post"
        case .ownerCannotLeave: "The owner cannot leave the community"
        case .notInvited: "There is no open invitation"
        case .notCollaborator: "The caller is no collaborator of the post"
        case .limitReached: "A list is full"
        case .refusedByRule: "A rule does not allow the text"
        case .embeddingDimensionUnset: "No dimension is set for embeddings"
        case .idempotencyKeyReused: "The idempotency key belongs to another request"
        case .unknownCollaborator: "A collaborator is not a user"
        case .notAuthor: "Only the author may do this"
        case .busy: "The server is busy"
        case .unavailable: "The server cannot answer now"
        case .internal: "The server failed"
        }
    }
}
