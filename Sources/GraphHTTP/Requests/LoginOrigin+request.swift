import HTTPTypes
import Hummingbird
import SocialGraph

extension LoginOrigin {
    /// Origin of `request`: its address according to trusted proxies, and its user agent, without invisible characters
    /// and truncated to the stored length.
    package init(_ request: Request, _ context: GraphRequestContext) {
        self.init(
            address: context.address(of: request).map { "\($0)" },
            userAgent: request.headers[.userAgent].flatMap(Self.cleaned))
    }

    /// Returns the cleaned text; nil if nothing is left.
    static func cleaned(_ text: String) -> String? {
        var kept = ""
        var bytes = 0
        // Scalars beyond the storable number are not looked at.
        for scalar in text.unicodeScalars.prefix(SocialGraphLimits.userAgentBytes) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: continue
            default: break
            }
            bytes += UTF8.width(scalar)
            guard bytes <= SocialGraphLimits.userAgentBytes else { break }
            kept.unicodeScalars.append(scalar)
        }
        return kept.isEmpty ? nil : kept
    }
}
