/// How a user wants to be told on devices.
package struct PushSettings: Sendable, Equatable {
    /// What the user does not want to be told of.
    package var refused: Set<PushKind>
    /// Whether a user without a registered device is told by the topic `fitness_updates_<userId>`.
    package var usesTopic: Bool
    package var quietHours: QuietHours?

    package init(refused: Set<PushKind> = [], usesTopic: Bool = false, quietHours: QuietHours? = nil) {
        self.refused = refused
        self.usesTopic = usesTopic
        self.quietHours = quietHours
    }
}
