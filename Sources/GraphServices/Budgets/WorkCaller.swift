/// The caller of work that may have to wait for its turn.
package struct WorkCaller: Sendable {
    package let holder: BudgetHolder
    /// Runs the wait for a turn, and cancels it when the caller disconnects.
    let whileThere: @Sendable (_ wait: @escaping @Sendable () async throws -> Void) async throws -> Void

    package init(
        _ holder: BudgetHolder,
        whileThere: @escaping @Sendable (@escaping @Sendable () async throws -> Void) async throws -> Void = {
            try await $0()
        }
    ) {
        (self.holder, self.whileThere) = (holder, whileThere)
    }
}
