/// Choices of the operator, and of tests.
package struct TimelineOptions: Sendable {
    /// The time without a read after which a window is forgotten.
    package var idle: Duration
    /// Enables continuous verification and repair of windows.
    package var isAudited: Bool
    /// The time for which one of several shards may be down before the others no longer wait for it.
    package var shardPatience: Duration
    var mechanisms = SharingMechanisms()
    /// Enables the removal of the keys of retired generations. Tests switch it off to look at those keys.
    var isSwept = true

    package init(
        idle: Duration = IdleWindows.defaultIdle, isAudited: Bool = true,
        shardPatience: Duration = WindowShard.patience
    ) {
        self.idle = idle
        self.isAudited = isAudited
        self.shardPatience = shardPatience
    }
}
