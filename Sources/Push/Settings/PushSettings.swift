/// A user's settings for pushes to devices.
package struct PushSettings: Sendable, Equatable {
    /// Kinds that the user has opted out of.
    package var refused: Set<PushKind>
    /// True if a user without a registered device is reached by the topic `fitness_updates_<userId>`.
    package var usesTopic: Bool
    package var quietHours: QuietHours?

    package init(refused: Set<PushKind> = [], usesTopic: Bool = false, quietHours: QuietHours? = nil) {
        self.refused = refused
        self.usesTopic = usesTopic
        self.quietHours = quietHours
    }
}
