import Database
import SocialGraph

/// The name of a stored file, in paths and folders.
package enum MediaFileName {
    /// Parses the id in `<id>` or `<id>.<extension>`; nil for anything else.
    package static func id(in name: some StringProtocol) -> MediaID? {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        return TextRules.parseID(parts[0]).map(MediaID.init(rawValue:))
    }
}
