import Database

/// The sessions module as the graph calls it.
package protocol GraphSessions: Sendable {
    /// Ends every session and token of an account that is being deleted, and removes its log of log-ins.
    func end(_ user: UserID, _ transaction: any GraphTransaction) throws

    /// Records that a user's email address, which was `before`, has changed.
    func noteEmailChange(
        of user: UserID, before: String?, from origin: LoginOrigin, _ transaction: any GraphTransaction
    ) throws

    /// Records that somebody we trust has verified a user's email address.
    func noteVerifiedEmail(of user: UserID, _ transaction: any GraphTransaction) throws

    /// Removes expired sessions and events.
    func prune(_ transaction: any GraphTransaction) throws
}
