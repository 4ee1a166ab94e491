import Crypto
import Database
import Sessions
import SocialGraph
import Synchronization

/// Signed links to files, which are good for a while without a token: for players and programs that fetch a file that
/// not everybody may see.
///
/// A link signs its path, the user who has made it and the second of its end by HMAC-SHA256. The key is in the
/// database, so that every node accepts the links of all. A link opens no more than its user may see when it is used: a
/// file that was hidden meanwhile is gone for it, too.
package final class MediaLinks: Sendable {
    /// A signed link to a file.
    package struct Link: Sendable, Equatable {
        package let url: String
        /// Milliseconds since 1970.
        package let expiresAt: Int64
    }

    /// The parts of a link's query, as a request has them.
    package struct Claim: Sendable, Equatable {
        let user: String
        let expires: String
        let signature: String

        package init(user: String, expires: String, signature: String) {
            self.user = user
            self.expires = expires
            self.signature = signature
        }
    }

    package enum Verdict: Sendable, Equatable {
        /// The link opens what this user may see.
        case valid(UserID)
        /// The link was valid until its end.
        case expired
        case forged
    }

    /// The setting of the database with the key.
    package static let keySetting = "media_link_key"
    private static let keyBytes = 32
    /// Characters of a signature.
    private static let signatureLength = 43

    private let graph: GraphStore
    private let urls: PublicURL
    private let now: @Sendable () -> Int64
    private let known = Mutex<SymmetricKey?>(nil)

    /// - Parameter now: milliseconds since 1970.
    package init(graph: GraphStore, urls: PublicURL, now: @escaping @Sendable () -> Int64) {
        self.graph = graph
        self.urls = urls
        self.now = now
    }

    /// Returns a link that is valid for `seconds`, one of ``RequestLimits/linkSeconds``.
    ///
    /// - Parameter user: a user who may see the file.
    package func link(
        to media: Media, for user: UserID, validFor seconds: Int64
    ) async throws -> Link {
        let (id, end) = (String(user.rawValue), now() / 1_000 + seconds)
        let signed = Self.signed(media.path, id, String(end))
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: try await key())
        let query = "user=\(id)&expires=\(end)&signature=\(Base64URL.encode(Array(code)))"
        return Link(url: "\(urls.absolute(media.path))?\(query)", expiresAt: end * 1_000)
    }

    /// Judges a claim to the file at `path`. The comparison takes the same time for every signature.
    package func verdict(on claim: Claim, for path: String) async throws -> Verdict {
        guard claim.signature.utf8.count == Self.signatureLength, let code = Base64URL.decode(claim.signature),
            let user = TextRules.parseID(claim.user), let end = TextRules.parseID(claim.expires),
            HMAC<SHA256>.isValidAuthenticationCode(
                code, authenticating: Self.signed(path, claim.user, claim.expires), using: try await key())
        else { return .forged }
        return now() / 1_000 < end ? .valid(UserID(rawValue: user)) : .expired
    }

    private static func signed(_ path: String, _ user: String, _ end: String) -> [UInt8] {
        Array("\(path)\n\(user)\n\(end)".utf8)
    }

    /// Returns the key of the graph, which the first link makes.
    private func key() async throws -> SymmetricKey {
        if let key = known.withLock({ $0 }) { return key }
        let text = try await graph.settings.setting(Self.keySetting)
        let key = try Self.key(from: try await stored(text))
        known.withLock { $0 = key }
        return key
    }

    private func stored(_ text: String?) async throws -> String {
        if let text { return text }
        return try await graph.settings.writeSettings { reader, writer in
            // Another node may have made one since.
            if let text = try reader.setting(Self.keySetting) { return text }
            var generator = SystemRandomNumberGenerator()
            let bytes = (0..<Self.keyBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let text = Base64URL.encode(bytes)
            try writer.store(text, as: Self.keySetting)
            return text
        }
    }

    private static func key(from text: String) throws -> SymmetricKey {
        guard let bytes = Base64URL.decode(text), bytes.count == keyBytes else {
            // The value itself is a secret.
            throw DatabaseError.undecodable(SymmetricKey.self, keySetting)
        }
        return SymmetricKey(data: bytes)
    }
}
