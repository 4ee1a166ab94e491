import CommandSupport
import Database
import Discovery
import GraphHTTP
import GraphServices
import HTTPMiddleware
import Logging
import Moderation
import ObjectStorage
import RedisClient
import SocialGraph
import Timeline

/// All settings of a server, validated.
///
/// A setting is looked up on the command line, then in the environment, then in the configuration file.
struct ServerConfiguration: Sendable, Equatable {
    var dataDirectory = "./data"
    /// The server that holds the database; nil if it is a file in the data directory.
    var database: DatabaseServer?
    var host = "127.0.0.1"
    /// 0 lets the system choose.
    var port = 8080
    /// Address for `/metrics` and the details of `/readyz`; nil if they are at the server's own address, for callers on
    /// this machine.
    var adminAddress: ListeningAddress?
    /// Origins whose pages may read answers; nil if no other origin's may.
    var corsOrigins: AllowedOrigins?
    /// Certificate and key of the server; nil for connections without TLS.
    var certificate: CertificateFiles?
    /// Largest number of concurrent connections, in total and of one address; 0 is no limit for one address.
    var maxConnections = RequestLimits.connections
    var maxConnectionsPerAddress = RequestLimits.connectionsPerAddress
    /// Time limits: for the header of a request, for progress of its body or of the reader of the answer, and between
    /// two requests.
    var headerTimeout = RequestLimits.headerTime
    var bodyTimeout = RequestLimits.bodyPause
    var idleTimeout = RequestLimits.idleTime
    /// Longest time without progress of the serving threads before the process ends; nil for no limit.
    var watchdog: Duration? = .seconds(60)
    /// The configured Redis; nil if `graphd` runs a private one.
    var redis: WindowServers?
    /// The greatest age of what a node without the primary shows; nil: it shows nothing then.
    var staleReads: Duration?
    /// Number of private redis-servers that share the windows.
    var redisShards = 1
    var logLevel = Logger.Level.info
    var logFormat = LogFormat.json
    /// The file that log lines are appended to; nil for standard error.
    var logFile: String?
    /// The URL of the collector of traces, without a slash at its end; nil if there are no traces.
    var traces: String?
    /// The share of requests that are traced.
    var traceRatio = 0.1
    var tokenLifetime = Duration.seconds(30 * 86_400)
    /// Lifetime of an unused session; never shorter than `tokenLifetime`.
    var refreshLifetime = Duration.seconds(90 * 86_400)
    /// The roles of the site that are in force only with an authenticator.
    var requiredTOTP = SecondFactorPolicy.none
    /// The OpenID Connect issuer whose tokens are accepted beside our own.
    var oidcProvider: OIDCProvider?
    /// The key file of the service account for pushes to devices; nil if there are none.
    var fcmServiceAccount: String?
    /// The URL of Firebase Cloud Messaging, without a slash at its end.
    var fcmURL = "https://fcm.googleapis.com"
    /// The permitted addresses of webhooks, if there are any.
    var webhooks = Webhooks.off
    /// The sending of mail; nil if there is none.
    var mail: MailConfiguration?
    /// Requests a second of each caller; 0 is no limit.
    var rateLimit = 0
    /// True if the rates of budgets are in force.
    var limits = true
    /// Rates of budgets that differ from the standard ones; nil is no rate.
    var rates: [RateBudget: Rate?] = [:]
    /// The proxies whose `Forwarded` and `X-Forwarded-For` count.
    var trustedProxies = TrustedProxies.none
    /// Number of entries to which a stored timeline window is trimmed.
    var windowCap = WindowDepth.defaultCap
    /// Time for which an unread timeline window is stored.
    var windowIdle = IdleWindows.defaultIdle
    /// Number of followers above which an author's posts are pulled instead of pushed; 0 is never.
    var hubThreshold = Int(HubStore.defaultThreshold)
    /// The bucket that holds the files; nil for the data directory.
    var media: BucketAccess?
    /// Largest number of bytes of a video.
    var maxUpload = RequestLimits.videoBytes
    /// Bytes and files that one user may store.
    var uploadQuota = Int(RequestLimits.mediaQuota.bytes)
    var uploadFiles = Int(RequestLimits.mediaQuota.files)
    /// Bytes that uploads leave free on the disk; 0 is none.
    var diskReserve = 512 << 20
    /// True if changes are refused.
    var readOnly = false
    /// Ages in milliseconds from which data is removed, where they are not the standard ones.
    var retention: [RetainedData: Int64] = [:]
    /// True if the operator confirms that the time is right, even if it contradicts the last time seen.
    var acceptsClock = false
    /// The public URL of the server, without a slash at its end; nil for the address it listens on.
    var publicURL: String?
    /// The base URL of files that everybody may see, without a slash at its end; nil for the server itself.
    var mediaURL: String?
    /// Components of every embedding; nil for the number stored with the data directory, if any.
    var embeddingDimension: Int?

    enum Webhooks: String, Sendable, CaseIterable {
        case off
        /// Addresses of the public internet only.
        case `public`
        /// Any address: for tests and private networks.
        case anywhere
    }

    static let connectionCaps = 16...1_000_000
    static let addressCaps = 0...1_000_000
    static let timeouts = Duration.seconds(1) ... .seconds(3_600)
    static let stallTimes = Duration.seconds(10) ... .seconds(3_600)
    static let hubThresholds = 0...1_000_000_000
    static let ports = 0...65_535
    static let rateLimits = 0...100_000
    static let windowIdles = Duration.seconds(60) ... .seconds(366 * 86_400)
    static let maxUploads = 1 << 20...64 << 30
    static let uploadQuotas = 0...1 << 50
    static let uploadFileCounts = 0...1_000_000_000
    static let diskReserves = 0...1 << 50
    static let tokenLifetimes = Duration.seconds(60) ... .seconds(366 * 86_400)
}

extension ServerConfiguration {
    /// - Parameters:
    ///   - commandLine: the given flags, as text.
    ///   - environment: of the process; `GRAPHD_…` is read.
    ///   - file: the path given with `--config`; otherwise `GRAPHD_CONFIG` may name one.
    /// - Throws: `ConfigurationError`, whose text is for the operator.
    static func load(
        commandLine: [Setting: String] = [:], environment: [String: String], file: String? = nil
    ) throws -> ServerConfiguration {
        try load(SettingSources(commandLine: commandLine, environment: environment, file: file))
    }

    /// - Throws: `ConfigurationError`.
    static func load(_ sources: SettingSources) throws -> ServerConfiguration {
        var result = ServerConfiguration()
        try sources.read(.dataDir, "a directory", into: &result.dataDirectory) { $0.contains("\0") ? nil : $0 }
        try result.readDatabase(sources)
        try sources.read(.host, "an address or host name", into: &result.host) { $0.contains(" ") ? nil : $0 }
        try sources.read(.port, Self.wholeNumber(Self.ports), into: &result.port) {
            Self.number($0, in: Self.ports)
        }
        try result.readConnections(sources)
        try result.readRedis(sources)
        try result.readStaleReads(sources)
        try result.readObservability(sources)
        try sources.read(.tokenLifetime, DurationText.expected, into: &result.tokenLifetime) {
            DurationText.parse($0).flatMap { Self.tokenLifetimes.contains($0) ? $0 : nil }
        }
        try sources.read(.refreshLifetime, DurationText.expected, into: &result.refreshLifetime) {
            DurationText.parse($0).flatMap { Self.tokenLifetimes.contains($0) ? $0 : nil }
        }
        try sources.read(.requireTotp, Self.oneOf(SecondFactorPolicy.allCases), into: &result.requiredTOTP) {
            SecondFactorPolicy(rawValue: $0)
        }
        try readLimits(sources, into: &result)
        try sources.read(.windowCap, Self.wholeNumber(WindowDepth.caps), into: &result.windowCap) {
            Self.number($0, in: WindowDepth.caps)
        }
        try sources.read(.windowIdle, DurationText.expected, into: &result.windowIdle) {
            DurationText.parse($0).flatMap { Self.windowIdles.contains($0) ? $0 : nil }
        }
        try sources.read(.hubThreshold, Self.wholeNumber(Self.hubThresholds), into: &result.hubThreshold) {
            Self.number($0, in: Self.hubThresholds)
        }
        result.oidcProvider = try oidcProvider(sources)
        try sources.read(.fcmServiceAccount, "the path of a file", into: &result.fcmServiceAccount) { $0 }
        try sources.read(.fcmUrl, Self.expectedURL, into: &result.fcmURL) { Self.baseURL($0) }
        try sources.read(.webhooks, Self.oneOf(Webhooks.allCases), into: &result.webhooks) { Webhooks(rawValue: $0) }
        result.mail = try mail(sources)
        try sources.read(.maxUpload, Self.wholeNumber(Self.maxUploads), into: &result.maxUpload) {
            Self.number($0, in: Self.maxUploads)
        }
        try result.readMedia(sources)
        try sources.read(.uploadQuota, Self.wholeNumber(Self.uploadQuotas), into: &result.uploadQuota) {
            Self.number($0, in: Self.uploadQuotas)
        }
        try sources.read(.uploadFiles, Self.wholeNumber(Self.uploadFileCounts), into: &result.uploadFiles) {
            Self.number($0, in: Self.uploadFileCounts)
        }
        try sources.read(.diskReserve, Self.wholeNumber(Self.diskReserves), into: &result.diskReserve) {
            Self.number($0, in: Self.diskReserves)
        }
        try sources.read(.readOnly, "on or off", into: &result.readOnly) { ["on": true, "off": false][$0] }
        try sources.read(.retention, Self.expectedRetention, into: &result.retention) { Self.retention($0) }
        try sources.read(.publicUrl, Self.expectedURL, into: &result.publicURL) { Self.baseURL($0).map { .some($0) } }
        let dimensions = DiscoveryLimits.embeddingDimensions
        try sources.read(.embeddingDimension, Self.wholeNumber(dimensions), into: &result.embeddingDimension) {
            Self.number($0, in: dimensions).map { .some($0) }
        }
        return result
    }

    /// Returns the issuer from its three settings; all of them must be given, or none.
    private static func oidcProvider(_ sources: SettingSources) throws -> OIDCProvider? {
        var (issuer, audience): (String?, String?)
        var keys: OIDCProvider.Keys?
        try sources.read(.oidcIssuer, "the issuer (iss) of tokens, such as https://id.example", into: &issuer) { $0 }
        try sources.read(.oidcAudience, "the audience (aud) of tokens", into: &audience) { $0 }
        try sources.read(.oidcJwks, "an http or https URL, or the path of a file", into: &keys) {
            OIDCProvider.Keys($0)
        }
        guard let issuer, let audience, let keys else {
            guard issuer == nil, audience == nil, keys == nil else {
                let all = [Setting.oidcIssuer, .oidcAudience, .oidcJwks].map(\.flag).joined(separator: ", ")
                throw ConfigurationError(description: "\(all) must be given together or not at all")
            }
            return nil
        }
        return OIDCProvider(issuer: issuer, audience: audience, keys: keys)
    }

    static let expectedURL = "an absolute URL that starts with http:// or https://, without a query"

    /// Returns the URL without a slash at its end.
    static func baseURL(_ text: String) -> String? {
        guard let url = try? TextRules.url(text, field: ""), !url.contains("?"), !url.contains("#") else { return nil }
        return String(url.hasSuffix("/") ? url.dropLast() : url[...])
    }

    static func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
        Int(text).flatMap { range.contains($0) ? $0 : nil }
    }

    static func wholeNumber(_ range: ClosedRange<Int>) -> String {
        "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }

    static func oneOf<Choice: RawRepresentable<String>>(_ choices: [Choice]) -> String {
        "one of " + choices.map(\.rawValue).joined(separator: ", ")
    }
}
