import CoreMetrics
import GraphServices
import Logging
import ServiceLifecycle

/// Loads a changed certificate, since programs that renew certificates may not signal, and reports the expiry.
struct CertificateWatch: Service {
    let certificate: ServerCertificate
    let logger: Logger
    var pause = Duration.seconds(60)

    private let expiry: Meter

    init(certificate: ServerCertificate, logger: Logger, factory: any MetricsFactory) {
        (self.certificate, self.logger) = (certificate, logger)
        expiry = Meter(label: MetricNames.certificateExpiry, factory: factory)
        expiry.set(certificate.expiry)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                check()
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// Reloads the certificate on demand. Throws ``ServerCertificate/Unusable``, and changes nothing.
    func reload() throws {
        try certificate.reload()
        expiry.set(certificate.expiry)
    }

    func check() {
        let file: Logger.MetadataValue = "\(certificate.files.chain)"
        do {
            guard try certificate.reloadIfChanged() else { return }
            expiry.set(certificate.expiry)
            logger.notice("reloaded", metadata: [LogKeys.file: file])
        } catch {
            logger.error(
                "cannot be reloaded; the former content stays in use",
                metadata: [LogKeys.file: file, LogKeys.error: "\(error)"])
        }
    }
}
