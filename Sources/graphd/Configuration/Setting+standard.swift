extension Setting {
    /// The default value, as it would be given; nil if nothing is the default.
    var standard: String? {
        switch self {
        case .dataDir: "./data"
        case .host: "127.0.0.1"
        case .port: "8080"
        case .maxConnections: "30000"
        case .maxConnectionsPerAddress: "1000"
        case .headerTimeout: "20s"
        case .bodyTimeout: "30s"
        case .idleTimeout: "75s"
        case .watchdog: "60s"
        case .logLevel: "info"
        case .logFormat: "json"
        case .traceRatio: "0.1"
        case .requireTotp: "none"
        case .readOnly, .requireStandby: "off"
        case .tokenLifetime, .windowIdle: "30d"
        case .refreshLifetime: "90d"
        case .fcmUrl: "https://fcm.googleapis.com"
        case .webhooks: "off"
        case .rateLimit, .staleReads: "0"
        case .limits: "on"
        case .windowCap: "128"
        case .redisShards: "1"
        case .hubThreshold: "10000"
        case .maxUpload: "268435456"
        case .uploadQuota: "5368709120"
        case .uploadFiles: "10000"
        case .diskReserve: "536870912"
        case .database, .media, .adminAddress, .corsOrigins, .tlsCertificate, .tlsKey, .redis, .oidcIssuer,
            .oidcAudience, .oidcJwks,
            .fcmServiceAccount, .logFile, .traces, .mail, .mailFrom, .mailWebhookSecret, .rates, .retention,
            .trustedProxies,
            .publicUrl, .mediaUrl, .embeddingDimension:
            nil
        }
    }
}
