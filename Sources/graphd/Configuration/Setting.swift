/// The settings of a server. The raw value is the key in the configuration file; `dataDir` is `--data-dir` on the
/// command line and `GRAPHD_DATA_DIR` in the environment.
enum Setting: String, Sendable, CaseIterable {
    case dataDir
    case database
    case requireStandby
    case staleReads
    case host
    case port
    case adminAddress
    case corsOrigins
    case tlsCertificate
    case tlsKey
    case maxConnections
    case maxConnectionsPerAddress
    case headerTimeout
    case bodyTimeout
    case idleTimeout
    case watchdog
    case redis
    case redisShards
    case logLevel
    case logFormat
    case logFile
    case traces
    case traceRatio
    case tokenLifetime
    case refreshLifetime
    case requireTotp
    case oidcIssuer
    case oidcAudience
    case oidcJwks
    case fcmServiceAccount
    case fcmUrl
    case webhooks
    case mail
    case mailFrom
    case mailWebhookSecret
    case rateLimit
    case limits
    case rates
    case trustedProxies
    case windowCap
    case windowIdle
    case hubThreshold
    case media
    case maxUpload
    case uploadQuota
    case uploadFiles
    case diskReserve
    case readOnly
    case retention
    case publicUrl
    case mediaUrl
    case embeddingDimension

    /// True if the value may hold a password, which no message may repeat.
    var isSecret: Bool { [.database, .redis, .mail, .mailWebhookSecret].contains(self) }

    /// `--data-dir`.
    var flag: String { "--" + words(joinedBy: "-") }

    /// `GRAPHD_DATA_DIR`.
    var environmentVariable: String { "GRAPHD_" + words(joinedBy: "_").uppercased() }

    private func words(joinedBy separator: String) -> String {
        rawValue.map { $0.isUppercase ? separator + $0.lowercased() : String($0) }.joined()
    }
}
