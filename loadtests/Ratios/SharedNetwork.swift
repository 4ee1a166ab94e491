/// The real graph, which several measurements use in turn: created for the first, and removed after the last.
actor SharedNetwork {
    private var made: RealNetwork?

    func network(_ setting: RatioSetting) async throws -> RealNetwork {
        if let made { return made }
        let network = try await RealNetwork(setting, posts: setting.posts)
        made = network
        return network
    }

    func remove() {
        made?.remove()
        made = nil
    }
}
