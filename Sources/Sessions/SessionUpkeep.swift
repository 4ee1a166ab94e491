import Database
import SocialGraph

/// The graph's interface to sessions.
package struct SessionUpkeep: GraphSessions {
    package init() {}

    package func end(_ user: UserID, _ transaction: any GraphTransaction) throws {
        try SessionStore.Writer(transaction).endAllSessions(of: user)
        try SessionStore.Writer(transaction).forgetLogins(of: user)
        try AccountTokenStore.Writer(transaction).endTokens(of: user)
        try AccountTokenStore.Writer(transaction).forgetConfirmation(of: user)
        try TOTPStore.Writer(transaction).forget(of: user)
        try MailQueueStore.Writer(transaction).deleteMails(of: user)
    }

    /// The tokens of the former address end, as does its confirmation. A notice goes to the former address, and a token
    /// to the new one.
    package func noteEmailChange(
        of user: UserID, before: String?, from origin: LoginOrigin, _ transaction: any GraphTransaction
    ) throws {
        try SessionStore.Writer(transaction).noteLogin(.emailChanged, of: user, from: origin)
        let (tokens, queue) = (AccountTokenStore.Writer(transaction), MailQueueStore.Writer(transaction))
        try tokens.endTokens(of: user)
        try tokens.forgetConfirmation(of: user)
        if let before { try queue.queueNotice(.emailChanged, to: before, of: user, from: origin) }
        try tokens.requestConfirmation(of: user, from: origin)
    }

    package func noteVerifiedEmail(of user: UserID, _ transaction: any GraphTransaction) throws {
        try AccountTokenStore.Writer(transaction).confirmEmail(of: user)
    }

    package func prune(_ transaction: any GraphTransaction) throws {
        try SessionStore.Writer(transaction).pruneSessions()
        try AccountTokenStore.Writer(transaction).prune()
        try TOTPStore.Writer(transaction).prune()
        try MailQueueStore.Writer(transaction).prune()
    }
}
