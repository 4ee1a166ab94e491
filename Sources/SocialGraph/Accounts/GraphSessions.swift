import Database

/// Sessions as the graph calls them.
package protocol GraphSessions: Sendable {
    /// Ends every session and token of an account that is being deleted, and forgets how it was logged in to.
    func end(_ user: UserID, _ transaction: any GraphTransaction) throws

    /// Notes in the log of log-ins that a user has another email address.
    func noteEmailChange(of user: UserID, from origin: LoginOrigin, _ transaction: any GraphTransaction) throws

    /// Removes sessions and events past their time.
    func prune(_ transaction: any GraphTransaction) throws
}
