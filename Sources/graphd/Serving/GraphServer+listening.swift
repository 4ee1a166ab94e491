import CommandSupport
import GraphHTTP
import GraphServices
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

extension GraphServer {
    /// Raises the limit on file descriptors and allocates them.
    ///
    /// - Throws: `CommandFailure` if they do not suffice for the server itself.
    func descriptorBudget() throws -> DescriptorBudget {
        let limit = DescriptorLimit.raise()
        guard
            let budget = DescriptorBudget(
                limit: limit, wanted: configuration.maxConnections,
                wantedPerAddress: configuration.maxConnectionsPerAddress, shards: configuration.redisShards)
        else {
            throw CommandFailure(
                "This process may open only \(limit) files and needs at least \(DescriptorBudget.minimum). Raise the "
                    + "limit (ulimit -n; LimitNOFILE= in systemd).")
        }
        if budget.isLowered {
            logger.warning(
                "too few file descriptors; caps are lowered; raise the limit (ulimit -n; LimitNOFILE= in systemd)",
                metadata: [
                    LogKeys.limit: "\(limit)", "connections": "\(budget.connections)",
                    "connections_per_address": "\(budget.connectionsPerAddress)",
                    "downloads": "\(budget.downloads)", "uploads": "\(budget.uploads)",
                ])
        }
        return budget
    }

    /// Returns the certificate of the server; nil without TLS. Throws `CommandFailure` for an unusable one.
    func certificateWatch() throws -> CertificateWatch? {
        guard let files = configuration.certificate else { return nil }
        do {
            return CertificateWatch(
                certificate: try ServerCertificate(files), logger: logger, factory: metrics)
        } catch let failure as ServerCertificate.Unusable {
            throw CommandFailure(failure.description)
        }
    }

    /// Returns an application that serves `router` at the configured address.
    ///
    /// - Parameter certificate: nil for connections without TLS.
    func application(
        _ router: Router<GraphRequestContext>, _ certificate: ServerCertificate?, _ budget: DescriptorBudget,
        _ meter: ConnectionMeter, ready: @escaping @Sendable (Int) -> Void
    ) -> any Service {
        let limiter = ConnectionLimiter(
            limit: budget.connections, perAddress: budget.connectionsPerAddress, refusals: budget.refusals,
            isExempt: { [proxies = configuration.trustedProxies] in proxies.contains($0.unmapped) })
        let port = configuration.port
        let server = certificate.map {
            GuardedHTTPS.builder(certificate: $0, limiter: limiter, meter: meter, patience: patience)
        }
        return Application(
            router: router,
            server: server ?? GuardedHTTP1.builder(limiter: limiter, meter: meter, patience: patience),
            configuration: .init(
                address: .hostname(configuration.host, port: port), serverName: "graphd",
                // Connections beyond the refusals in progress wait in the kernel: none takes a descriptor reserved for
                // another use.
                availableConnectionsDelegate: .maximum(budget.connections + budget.refusals, logger: quiet(logger))),
            onServerRunning: { channel in ready(channel.localAddress?.port ?? port) },
            logger: logger)
    }

    /// Returns an application for metrics and details at a separate address; nil if there is none.
    func adminApplication(_ operations: OperationsRoutes, _ meter: ConnectionMeter) -> (any Service)? {
        configuration.adminAddress.map { address in
            let few = RequestLimits.adminConnections
            return Application(
                router: operations.told(to: .everybody).router(),
                server: GuardedHTTP1.builder(
                    limiter: ConnectionLimiter(limit: few, perAddress: few, refusals: 1),
                    meter: meter, patience: patience),
                configuration: .init(
                    address: .hostname(address.host, port: address.port), serverName: "graphd",
                    availableConnectionsDelegate: .maximum(few + 1, logger: quiet(logger))),
                onServerRunning: { [logger] channel in
                    logger.info(
                        "listening for operators",
                        metadata: [
                            "host": "\(address.host)", "port": "\(channel.localAddress?.port ?? address.port)",
                        ])
                },
                logger: logger)
        }
    }

    private var patience: ConnectionPatience.Limits {
        var limits = ConnectionPatience.Limits()
        limits.header = TimeAmount(configuration.headerTimeout)
        limits.pause = TimeAmount(configuration.bodyTimeout)
        limits.idle = TimeAmount(configuration.idleTimeout)
        limits.check = min(limits.check, limits.pause)
        return limits
    }
}
