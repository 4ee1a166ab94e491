import Database

/// The sessions module as the graph calls it.
package protocol GraphSessions: Sendable {
    /// Ends every session and token of an account that is being deleted, and removes its log of log-ins.
    func end(_ user: UserID, _ transaction: any GraphTransaction) throws

    /// Records in the log of log-ins that a user's email address has changed.
    func noteEmailChange(of user: UserID, from origin: LoginOrigin, _ transaction: any GraphTransaction) throws

    /// Removes expired sessions and events.
    func prune(_ transaction: any GraphTransaction) throws
}
