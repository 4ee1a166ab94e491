import CommandSupport
import Database
import Discovery
import GraphServices
import Moderation
import SocialGraph
import Timeline

/// A setting of the configuration that is stored with the data, because all that use the data must agree on it.
struct StoredSetting: Sendable, Equatable {
    let name: String
    /// The name in the configuration, with the part that is meant.
    let flag: String
    /// The value as it is stored.
    let value: String
    /// Returns a stored value as an operator writes it.
    var text: @Sendable (String) -> String = { $0 }

    static func == (one: StoredSetting, other: StoredSetting) -> Bool {
        (one.name, one.flag, one.value) == (other.name, other.flag, other.value)
    }
}

extension ServerConfiguration {
    /// The settings that all nodes must have alike.
    var storedSettings: [StoredSetting] {
        let ages = RetainedData.allCases.map { data in
            StoredSetting(
                name: data.setting, flag: "\(Setting.retention.flag) \(data.rawValue)",
                value: String(retention[data] ?? data.standard),
                text: { Int64($0).map(ServerConfiguration.ageText) ?? $0 })
        }
        let dimension = embeddingDimension.map {
            StoredSetting(
                name: EmbeddingStore.Reader.dimensionSetting, flag: Setting.embeddingDimension.flag, value: String($0))
        }
        return [
            StoredSetting(name: "window_cap", flag: Setting.windowCap.flag, value: String(windowCap)),
            StoredSetting(
                name: HubStore.hubThresholdSetting, flag: Setting.hubThreshold.flag, value: String(hubThreshold)),
            StoredSetting(
                name: SecondFactorPolicy.setting, flag: Setting.requireTotp.flag, value: requiredTOTP.rawValue),
            StoredSetting(
                name: Self.sharedWindows, flag: Setting.redis.flag, value: windowKind,
                text: { $0 == Self.cluster ? "a Redis Cluster" : "one Redis" }),
        ] + ages + [dimension].compactMap(\.self)
    }
}

extension ServerConfiguration {
    private static let sharedWindows = "shared_windows"
    private static let cluster = "cluster"

    /// The kind of Redis that holds the windows: nodes with different kinds would not maintain the same windows.
    private var windowKind: String {
        if case .cluster = redis { Self.cluster } else { "redis" }
    }

    /// Stores what nodes that join are compared with.
    func storeWindowKind(in graph: GraphStore) async throws {
        try await graph.settings.store(windowKind, as: Self.sharedWindows)
    }
}

extension GraphServer {
    /// Stores the settings of a node that is alone; a node that joins others must have theirs.
    ///
    /// - Throws: ``CommandFailure`` that names both values.
    func joinSettings(of node: ServingNode, in graph: GraphStore) async throws {
        let others = try await NodeStore(database: graph.database).livingShared(except: node.id)
        guard !others.isEmpty else { return try await storeSettings(in: graph) }
        for setting in configuration.storedSettings {
            guard let stored = try await graph.settings.setting(setting.name), stored != setting.value else { continue }
            throw CommandFailure(
                "The nodes that serve the database (\(others.names)) have \(setting.flag) \(setting.text(stored)), and "
                    + "this one has \(setting.text(setting.value)). Give it their value, or stop them first.")
        }
    }

    /// Stores the settings that belong to the data, so that commands beside the server follow them, too.
    func storeSettings(in graph: GraphStore) async throws {
        try await graph.settings.store(String(WindowDepth(cap: configuration.windowCap).cap), as: "window_cap")
        try await configuration.storeWindowKind(in: graph)
        try await graph.settings.store(configuration.retention)
        try await graph.hubs.setHubThreshold(Int64(configuration.hubThreshold))
        try await fixEmbeddingDimension(of: graph)
        try await graph.moderation.requireSecondFactor(configuration.requiredTOTP)
    }

    private func fixEmbeddingDimension(of graph: GraphStore) async throws {
        guard let dimension = configuration.embeddingDimension else { return }
        do {
            try await graph.embeddings.setEmbeddingDimension(dimension)
        } catch GraphError.dimensionMismatch(let stored, _) {
            throw CommandFailure(
                "The embeddings in \(configuration.dataDirectory) have \(stored) dimensions, and "
                    + "\(Setting.embeddingDimension.flag) is \(dimension). Omit it to keep them, or remove them "
                    + "first with 'graphd embeddings clear'.")
        }
    }
}
