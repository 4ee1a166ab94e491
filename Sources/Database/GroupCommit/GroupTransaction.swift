/// The transaction of one commit group, as an engine runs it.
package protocol GroupTransaction: AnyObject, GraphTransaction, SendableMetatype {
    /// The part of the group that the engine does not hold.
    var ledger: GroupLedger { get set }

    /// Undoes the whole transaction and ends it.
    func rollBack() throws
    func setSavepoint() throws
    func rollBackToSavepoint() throws
    func releaseSavepoint() throws

    /// Prepares for the statements of `request`.
    func start(_ request: WriteRequest<Self>)

    /// Returns the outcome of `request`. Throws an error of the engine, which ends the group, even if the request has
    /// hidden it.
    func judge(_ outcome: Outcome, of request: WriteRequest<Self>) throws -> Outcome
}

extension GroupTransaction {
    package func start(_: WriteRequest<Self>) { ledger.setMark() }
}

/// Runs the requests of a commit group in one transaction.
package enum GroupRun {
    /// Runs the requests. Few fail, so they have no savepoints, which cost every request. If one fails, the transaction
    /// is undone and the group is run again with savepoints. Throws only if the engine failed, not a request; that ends
    /// the group.
    package static func perform<Transaction: GroupTransaction>(
        _ group: [WriteRequest<Transaction>], begin: () throws -> Transaction
    ) throws -> (Transaction, [Outcome]) {
        try perform(group, in: begin(), begin: begin)
    }

    /// - Parameters:
    ///   - transaction: the first one, which has begun.
    ///   - begin: begins the next one, if that is undone.
    package static func perform<Transaction: GroupTransaction>(
        _ group: [WriteRequest<Transaction>], in transaction: Transaction, begin: () throws -> Transaction
    ) throws -> (Transaction, [Outcome]) {
        var outcomes: [Outcome] = []
        outcomes.reserveCapacity(group.count)
        for request in group {
            let outcome = try run(request, in: transaction)
            outcomes.append(outcome)
            if outcome.error == nil { continue }
            try transaction.rollBack()
            if group.count > 1 { return try performApart(group, begin: begin) }
            transaction.ledger.rewind()
        }
        return (transaction, outcomes)
    }

    /// Runs each request in a savepoint of its own.
    package static func performApart<Transaction: GroupTransaction>(
        _ group: [WriteRequest<Transaction>], begin: () throws -> Transaction
    ) throws -> (Transaction, [Outcome]) {
        let transaction = try begin()
        let outcomes = try group.map { request in
            try transaction.setSavepoint()
            let outcome = try run(request, in: transaction)
            if outcome.error != nil {
                try transaction.rollBackToSavepoint()
                transaction.ledger.rewind()
            }
            try transaction.releaseSavepoint()
            return outcome
        }
        return (transaction, outcomes)
    }

    private static func run<Transaction: GroupTransaction>(
        _ request: WriteRequest<Transaction>, in transaction: Transaction
    ) throws -> Outcome {
        transaction.start(request)
        return try transaction.judge(request.run(transaction), of: request)
    }
}
