import Database
import SocialGraph
import Synchronization

/// A mode in which nobody changes anything through the API: for maintenance, and before a move to another machine.
/// Reads are answered, and what was accepted before is still delivered.
package final class ReadOnlyMode: Sendable {
    /// The setting that a command beside the server writes, which follows within ``StorageWatch/interval``: the reason;
    /// empty if the mode is off.
    package static let setting = "read_only"
    package static let standardReason = "The site is being maintained."
    /// Characters of a reason.
    package static let reasonLength = 200

    /// The reason for the whole run of this server; nil if only the setting decides.
    private let fixed: String?
    private let stored = Mutex<String?>(nil)

    package init(fixed: String? = nil) { self.fixed = fixed }

    /// The reason; nil if the mode is off.
    package var reason: String? { fixed ?? stored.withLock { $0 } }

    /// Reads the setting. Returns true if the mode has been switched.
    @discardableResult
    package func refresh(_ graph: GraphStore) async throws -> Bool {
        let reason = try await Self.reason(in: graph)
        return stored.withLock { stored in
            defer { stored = reason }
            return (stored == nil) != (reason == nil)
        }
    }

    /// The reason that the database holds; nil if the mode is off there.
    package static func reason(in graph: GraphStore) async throws -> String? {
        let value = try await graph.settings.setting(setting)
        return value?.isEmpty == false ? value : nil
    }
}
