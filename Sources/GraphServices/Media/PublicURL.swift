import SocialGraph
import Synchronization

/// The public URL of this server. Paths are stored without it, so that a server can move.
package final class PublicURL: Sendable {
    private let base: Mutex<String>
    private let isConfigured: Bool

    /// - Parameter configured: without a slash at its end; nil if the URL is only known once the server runs.
    package init(configured: String?) {
        base = Mutex(configured ?? "")
        isConfigured = configured != nil
    }

    /// Sets the URL from the listening address unless one is configured. Call it once the server runs.
    package func serve(host: String, port: Int, encrypted: Bool = false) {
        guard !isConfigured else { return }
        let name = host.contains(":") ? "[\(host)]" : host
        base.withLock { $0 = "\(encrypted ? "https" : "http")://\(name):\(port)" }
    }

    /// Returns the URL of a path of this server; other URLs unchanged.
    package func absolute(_ stored: String) -> String {
        guard stored.utf8.first == UInt8(ascii: "/") else { return stored }
        return base.withLock { $0 } + stored
    }

    /// Returns the stored file that a URL or path of this server names, also with a query; nil for any other.
    package func media(at url: String) -> MediaID? {
        let base = base.withLock { $0 }
        let path = !base.isEmpty && url.hasPrefix(base) ? url.dropFirst(base.count) : url[...]
        guard path.hasPrefix(Media.folder) else { return nil }
        return MediaFileName.id(in: path.dropFirst(Media.folder.count).prefix { $0 != "?" && $0 != "#" })
    }
}
