// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// A stable code. The table at the top gives its status.
public struct ProblemCode: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let invalidJson = Self(rawValue: "invalid_json")
    public static let unknownField = Self(rawValue: "unknown_field")
    public static let duplicateField = Self(rawValue: "duplicate_field")
    public static let missingField = Self(rawValue: "missing_field")
    public static let invalidType = Self(rawValue: "invalid_type")
    public static let unknownParameter = Self(rawValue: "unknown_parameter")
    public static let repeatedParameter = Self(rawValue: "repeated_parameter")
    public static let invalidParameter = Self(rawValue: "invalid_parameter")
    public static let invalidLimit = Self(rawValue: "invalid_limit")
    public static let invalidCursor = Self(rawValue: "invalid_cursor")
    public static let invalidHeader = Self(rawValue: "invalid_header")
    public static let badRequest = Self(rawValue: "bad_request")
    public static let selfFollow = Self(rawValue: "self_follow")
    public static let selfBlock = Self(rawValue: "self_block")
    public static let selfMute = Self(rawValue: "self_mute")
    public static let selfCollaboration = Self(rawValue: "self_collaboration")
    public static let cursorExpired = Self(rawValue: "cursor_expired")
    public static let dimensionMismatch = Self(rawValue: "dimension_mismatch")
    public static let requestTimeout = Self(rawValue: "request_timeout")
    public static let embeddingDimensionUnset = Self(rawValue: "embedding_dimension_unset")
    public static let bodyTooLarge = Self(rawValue: "body_too_large")
    public static let unsupportedMediaType = Self(rawValue: "unsupported_media_type")
    public static let malformedMultipart = Self(rawValue: "malformed_multipart")
    public static let invalidTranscript = Self(rawValue: "invalid_transcript")
    public static let rangeNotSatisfiable = Self(rawValue: "range_not_satisfiable")
    public static let tooLong = Self(rawValue: "too_long")
    public static let tooMany = Self(rawValue: "too_many")
    public static let invalidUrl = Self(rawValue: "invalid_url")
    public static let invalidEmail = Self(rawValue: "invalid_email")
    public static let invalidUsername = Self(rawValue: "invalid_username")
    public static let reservedUsername = Self(rawValue: "reserved_username")
    public static let invalidValue = Self(rawValue: "invalid_value")
    public static let weakPassword = Self(rawValue: "weak_password")
    public static let invalidToken = Self(rawValue: "invalid_token")
    public static let threadTooDeep = Self(rawValue: "thread_too_deep")
    public static let unsupportedMedia = Self(rawValue: "unsupported_media")
    public static let notInCollection = Self(rawValue: "not_in_collection")
    public static let tokenMissing = Self(rawValue: "token_missing")
    public static let tokenInvalid = Self(rawValue: "token_invalid")
    public static let tokenExpired = Self(rawValue: "token_expired")
    public static let wrongCredentials = Self(rawValue: "wrong_credentials")
    public static let totpRequired = Self(rawValue: "totp_required")
    public static let wrongCode = Self(rawValue: "wrong_code")
    public static let passwordRequired = Self(rawValue: "password_required")
    public static let recentLoginRequired = Self(rawValue: "recent_login_required")
    public static let refreshTokenInvalid = Self(rawValue: "refresh_token_invalid")
    public static let forbidden = Self(rawValue: "forbidden")
    public static let notAllowed = Self(rawValue: "not_allowed")
    public static let notMember = Self(rawValue: "not_member")
    public static let banned = Self(rawValue: "banned")
    public static let communityLocked = Self(rawValue: "community_locked")
    public static let invalidOrder = Self(rawValue: "invalid_order")
    public static let notAppealable = Self(rawValue: "not_appealable")
    public static let alreadyDecided = Self(rawValue: "already_decided")
    public static let claimedByAnother = Self(rawValue: "claimed_by_another")
    public static let notApplicable = Self(rawValue: "not_applicable")
    public static let classifierNotFound = Self(rawValue: "classifier_not_found")
    public static let ruleNotFound = Self(rawValue: "rule_not_found")
    public static let appealNotFound = Self(rawValue: "appeal_not_found")
    public static let reportNotFound = Self(rawValue: "report_not_found")
    public static let batchNotFound = Self(rawValue: "batch_not_found")
    public static let subjectNotFound = Self(rawValue: "subject_not_found")
    public static let ownAffair = Self(rawValue: "own_affair")
    public static let siteDecision = Self(rawValue: "site_decision")
    public static let neverMember = Self(rawValue: "never_member")
    public static let totpSetupRequired = Self(rawValue: "totp_setup_required")
    public static let outranked = Self(rawValue: "outranked")
    public static let notPermitted = Self(rawValue: "not_permitted")
    public static let accountSuspended = Self(rawValue: "account_suspended")
    public static let communityArchived = Self(rawValue: "community_archived")
    public static let notModerator = Self(rawValue: "not_moderator")
    public static let notBusiness = Self(rawValue: "not_business")
    public static let rateLimited = Self(rawValue: "rate_limited")
    public static let notFound = Self(rawValue: "not_found")
    public static let methodNotAllowed = Self(rawValue: "method_not_allowed")
    public static let conflict = Self(rawValue: "conflict")
    public static let usernameTaken = Self(rawValue: "username_taken")
    public static let emailTaken = Self(rawValue: "email_taken")
    public static let userNotFound = Self(rawValue: "user_not_found")
    public static let postNotFound = Self(rawValue: "post_not_found")
    public static let mediaNotFound = Self(rawValue: "media_not_found")
    public static let communityNotFound = Self(rawValue: "community_not_found")
    public static let commentNotFound = Self(rawValue: "comment_not_found")
    public static let notificationNotFound = Self(rawValue: "notification_not_found")
    public static let joinRequestNotFound = Self(rawValue: "join_request_not_found")
    public static let followRequestNotFound = Self(rawValue: "follow_request_not_found")
    public static let collectionNotFound = Self(rawValue: "collection_not_found")
    public static let embeddingNotFound = Self(rawValue: "embedding_not_found")
    public static let transcriptNotFound = Self(rawValue: "transcript_not_found")
    public static let noSuchPart = Self(rawValue: "no_such_part")
    public static let communityNameTaken = Self(rawValue: "community_name_taken")
    public static let collectionNameTaken = Self(rawValue: "collection_name_taken")
    public static let ownerCannotLeave = Self(rawValue: "owner_cannot_leave")
    public static let totpEnabled = Self(rawValue: "totp_enabled")
    public static let totpNotEnabled = Self(rawValue: "totp_not_enabled")
    public static let notInvited = Self(rawValue: "not_invited")
    public static let notCollaborator = Self(rawValue: "not_collaborator")
    public static let limitReached = Self(rawValue: "limit_reached")
    public static let refusedByRule = Self(rawValue: "refused_by_rule")
    public static let idempotencyKeyReused = Self(rawValue: "idempotency_key_reused")
    public static let unknownCollaborator = Self(rawValue: "unknown_collaborator")
    public static let notAuthor = Self(rawValue: "not_author")
    public static let busy = Self(rawValue: "busy")
    public static let insufficientStorage = Self(rawValue: "insufficient_storage")
    public static let storageFull = Self(rawValue: "storage_full")
    public static let readOnly = Self(rawValue: "read_only")
    public static let notCurrent = Self(rawValue: "not_current")
    public static let mediaNotReady = Self(rawValue: "media_not_ready")
    public static let mediaFailed = Self(rawValue: "media_failed")
    public static let mediaNotShared = Self(rawValue: "media_not_shared")
    public static let mailNotConfigured = Self(rawValue: "mail_not_configured")
    public static let uploadQuotaExceeded = Self(rawValue: "upload_quota_exceeded")
    public static let unavailable = Self(rawValue: "unavailable")
    public static let `internal` = Self(rawValue: "internal")

    /// The values that this version of the client knows.
    public static let known: [Self] = [
        .invalidJson, .unknownField, .duplicateField, .missingField, .invalidType, .unknownParameter,
        .repeatedParameter, .invalidParameter, .invalidLimit, .invalidCursor, .invalidHeader, .badRequest, .selfFollow,
        .selfBlock, .selfMute, .selfCollaboration, .cursorExpired, .dimensionMismatch, .requestTimeout,
        .embeddingDimensionUnset, .bodyTooLarge, .unsupportedMediaType, .malformedMultipart, .invalidTranscript,
        .rangeNotSatisfiable, .tooLong, .tooMany, .invalidUrl, .invalidEmail, .invalidUsername, .reservedUsername,
        .invalidValue, .weakPassword, .invalidToken, .threadTooDeep, .unsupportedMedia, .notInCollection, .tokenMissing,
        .tokenInvalid, .tokenExpired, .wrongCredentials, .totpRequired, .wrongCode, .passwordRequired,
        .recentLoginRequired, .refreshTokenInvalid, .forbidden, .notAllowed, .notMember, .banned, .communityLocked,
        .invalidOrder, .notAppealable, .alreadyDecided, .claimedByAnother, .notApplicable, .classifierNotFound,
        .ruleNotFound, .appealNotFound, .reportNotFound, .batchNotFound, .subjectNotFound, .ownAffair, .siteDecision,
        .neverMember, .totpSetupRequired, .outranked, .notPermitted, .accountSuspended, .communityArchived,
        .notModerator, .notBusiness, .rateLimited, .notFound, .methodNotAllowed, .conflict, .usernameTaken, .emailTaken,
        .userNotFound, .postNotFound, .mediaNotFound, .communityNotFound, .commentNotFound, .notificationNotFound,
        .joinRequestNotFound, .followRequestNotFound, .collectionNotFound, .embeddingNotFound, .transcriptNotFound,
        .noSuchPart, .communityNameTaken, .collectionNameTaken, .ownerCannotLeave, .totpEnabled, .totpNotEnabled,
        .notInvited, .notCollaborator, .limitReached, .refusedByRule, .idempotencyKeyReused, .unknownCollaborator,
        .notAuthor, .busy, .insufficientStorage, .storageFull, .readOnly, .notCurrent, .mediaNotReady, .mediaFailed,
        .mediaNotShared, .mailNotConfigured, .uploadQuotaExceeded, .unavailable, .internal,
    ]
}
