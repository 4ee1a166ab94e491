import Database
import SocialGraph

/// The graph's interface to sessions.
package struct SessionUpkeep: GraphSessions {
    package init() {}

    package func end(_ user: UserID, _ transaction: any GraphTransaction) throws {
        try SessionStore.Writer(transaction).endAllSessions(of: user)
        try SessionStore.Writer(transaction).forgetLogins(of: user)
    }

    package func noteEmailChange(
        of user: UserID, from origin: LoginOrigin, _ transaction: any GraphTransaction
    ) throws {
        try SessionStore.Writer(transaction).noteLogin(.emailChanged, of: user, from: origin)
    }

    package func prune(_ transaction: any GraphTransaction) throws {
        try SessionStore.Writer(transaction).pruneSessions()
    }
}
