extension Schema004 {
    /// Devices, webhooks, and what is to be sent to them.
    static let push = ""
}
