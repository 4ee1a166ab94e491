/// Who asks for work that may have to wait its turn.
package struct WorkCaller: Sendable {
    package let holder: BudgetHolder
    /// Runs what waits for the turn, and cancels it when the caller has gone away.
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
