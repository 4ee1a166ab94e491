import Foundation
import GraphServices
import Mail

/// The sending of mail: its destination, its sender, and the secret that signs it for a webhook.
struct MailConfiguration: Sendable, Equatable {
    let destination: MailDestination
    let from: MailAddress
    /// The key of signatures; empty unless the destination is a webhook.
    let secret: [UInt8]
}

extension ServerConfiguration {
    private static let secretPrefix = "whsec_"
    /// Bytes of a secret, by Standard Webhooks.
    private static let secretLengths = 24...64
    private static let expectedSecret = "whsec_ and the Base64 of 24 to 64 random bytes"

    /// Reads the settings of mail; nil if it is off.
    static func mail(_ sources: SettingSources) throws -> MailConfiguration? {
        var destination: String?
        var from: MailAddress?
        var secret: [UInt8]?
        try sources.read(.mail, MailDestination.expected, into: &destination) { $0 }
        try sources.read(.mailFrom, MailAddress.expected, into: &from) { MailAddress($0).map { .some($0) } }
        try sources.read(.mailWebhookSecret, expectedSecret, into: &secret) { Self.secret($0).map { .some($0) } }
        guard let destination else { return nil }
        let parsed: MailDestination
        do {
            parsed = try MailDestination(parsing: destination)
        } catch {
            throw ConfigurationError(description: "\(Setting.mail.flag) is \(error)")
        }
        guard let from else {
            throw ConfigurationError(
                description: "\(Setting.mail.flag) needs \(Setting.mailFrom.flag), \(MailAddress.expected)")
        }
        if case .webhook(let url) = parsed {
            guard WebhookURL(url) != nil else {
                throw ConfigurationError(
                    description:
                        "\(Setting.mail.flag) must name an http or https URL after webhook:, without a password")
            }
            guard secret != nil else {
                throw ConfigurationError(
                    description: "a webhook for mail needs \(Setting.mailWebhookSecret.flag), \(expectedSecret)")
            }
        }
        return MailConfiguration(destination: parsed, from: from, secret: secret ?? [])
    }

    /// Names the site to its users: the sender of its mails, else the host of its URL.
    var siteName: String {
        if let from = mail?.from { return from.name.isEmpty ? from.domain : from.name }
        guard let url = publicURL else { return "graphd" }
        return String(url.drop { $0 != ":" }.drop { ":/".contains($0) }.prefix { !":/".contains($0) })
    }

    private static func secret(_ text: String) -> [UInt8]? {
        guard text.hasPrefix(secretPrefix), let data = Data(base64Encoded: String(text.dropFirst(secretPrefix.count))),
            secretLengths.contains(data.count)
        else { return nil }
        return Array(data)
    }
}
