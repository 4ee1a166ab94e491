/// Statements of a request that commit in the transaction of one of its writes, so that both are stored or neither is.
///
/// A request sets it around the call of the service that does its work. It is not set for the rest of the request, so
/// no other write carries it by accident.
package protocol WriteCompanion: Sendable {
    /// Returns `body` together with the companion's statements; nil to leave the write alone, which a companion decides
    /// by the type of its result.
    func joined<T: Sendable>(
        to body: @escaping @Sendable (any GraphTransaction) throws -> T
    ) -> (@Sendable (any GraphTransaction) throws -> T)?

    /// Notes that a write that the companion joined is on disk.
    func noteCommit()
}

/// The companion of the writes of the current task.
package enum WriteCompanions {
    @TaskLocal package static var current: (any WriteCompanion)?
}
