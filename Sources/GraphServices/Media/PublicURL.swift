import SocialGraph
import Synchronization
import Timeline

/// The public URLs of this server and of its files. Paths are stored without them, so that a server can move.
///
/// Files that everybody may see can have a base URL of their own, such as that of a CDN. Other files stay at this
/// server, because clients send their tokens with the requests for them.
package final class PublicURL: Sendable {
    private let base: Mutex<String>
    private let isConfigured: Bool
    /// The base URL of public files; nil for this server.
    private let files: String?

    /// - Parameters:
    ///   - configured: without a slash at its end; nil if the URL is only known once the server runs.
    ///   - files: the base URL of files that everybody may see, without a slash at its end; nil for this server.
    package init(configured: String?, files: String? = nil) {
        base = Mutex(configured ?? "")
        isConfigured = configured != nil
        self.files = files
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

    /// Returns the URL of a file that everybody may see, such as a profile picture; other URLs unchanged.
    package func shared(_ stored: String) -> String {
        guard let files, stored.hasPrefix(Media.folder) else { return absolute(stored) }
        return "\(files)/\(stored.dropFirst(Media.folder.count))"
    }

    /// Returns the URL of a file that a post shows; other URLs unchanged.
    package func file(_ stored: String, of post: Post) -> String {
        guard files != nil, PostFragment(post: post, json: []).isPublic else { return absolute(stored) }
        return shared(stored)
    }

    /// Returns the stored file that a URL or path of this server names, also with a query; nil for any other.
    package func media(at url: String) -> MediaID? {
        if let files, url.hasPrefix("\(files)/"), let media = Self.media(named: url.dropFirst(files.count + 1)) {
            return media
        }
        let base = base.withLock { $0 }
        let path = !base.isEmpty && url.hasPrefix(base) ? url.dropFirst(base.count) : url[...]
        guard path.hasPrefix(Media.folder) else { return nil }
        return Self.media(named: path.dropFirst(Media.folder.count))
    }

    private static func media(named name: Substring) -> MediaID? {
        MediaFileName.id(in: name.prefix { $0 != "?" && $0 != "#" })
    }
}
