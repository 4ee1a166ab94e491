/// An act that is recorded in the audit. The raw value is its name in JSON, on the command line and in the database.
package enum AuditAction: String, Sendable, CaseIterable {
    // With commands on the machine.
    /// The subject is the user.
    case passwordReplaced, authenticatorRemoved, tokenIssued
    /// The subject is the user. The modlog has the same act, but not the user of the machine.
    case siteRoleSet
    case keyRotated
    case readOnlyStarted, readOnlyEnded
    /// The first transaction that changes something, and the end with figures. Without the second, the act was
    /// interrupted, or still runs.
    case followsImportStarted, followsImported
    case postsImportStarted, postsImported
    case embeddingsClearStarted, embeddingsCleared
    /// The subject is the user whose window it is; nil: several.
    case timelinesRebuilt, timelinesRepaired
    /// The directory was restored from a backup.
    case restored
    /// Also over HTTP, by admins. The subject is the service token.
    case serviceTokenAdded, serviceTokenRevoked

    // Over HTTP, by users with a role of the site.
    /// The subject is the app webhook.
    case webhookAdded, webhookChanged, webhookRemoved, webhookReplayed, webhookDeliveryRetried
    /// The subject is the rule, of the site or of a community.
    case ruleAdded, ruleChanged, ruleRemoved
    /// The subject is the classifier, of the site or of a community.
    case classifierAdded, classifierChanged, classifierRemoved
    /// The subject is the entry of the modlog that had the note.
    case noteErased
    /// The subject is the community whose description was changed.
    case communityDescribed
}
