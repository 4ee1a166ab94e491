import AppWebhooks
import CommandSupport
import Database
import GraphServices
import Moderation
import Push
import SocialGraph
import Timeline

extension GraphServer {
    /// Returns the guard of webhook addresses; nil if webhooks are off.
    func webhookAddresses() -> AddressGuard? {
        guard configuration.webhooks != .off else { return nil }
        return AddressGuard(
            allowsPrivate: configuration.webhooks == .anywhere, resolve: HostResolver().addresses(of:for:))
    }

    func pushService(
        _ graph: GraphStore, _ formerOwner: FormerOwner, _ firebase: FirebaseSender?,
        _ suggestions: PushSuggestions, _ timelines: TimelineService, _ addresses: AddressGuard?, _ clock: SteadyClock
    ) -> PushService {
        let now = SystemClock.milliseconds
        let webhooks = addresses.map { WebhookSender(addresses: $0, now: now) }
        return PushService(
            graph: graph, formerOwner: formerOwner, timelines: timelines.readers, suggestions: suggestions,
            messages: firebase?.send, webhooks: webhooks?.send, logger: logger, now: clock.now)
    }

    func appWebhookService(
        _ graph: GraphStore, _ addresses: AddressGuard?, _ urls: PublicURL, _ links: MediaLinks,
        _ clock: SteadyClock
    ) -> AppWebhookService {
        let sender = addresses.map { WebhookSender(addresses: $0, now: SystemClock.milliseconds) }
        let send = sender.map { sender -> AppWebhookService.Send in
            { await sender.send($0.id, $0.body, to: $1.url, secret: $1.secret, for: .server) }
        }
        return AppWebhookService(
            graph: graph, payloads: AppEventPayload(graph: graph, urls: urls, links: links), send: send, logger: logger,
            now: clock.now)
    }

    func classifierService(
        _ graph: GraphStore, _ formerOwner: FormerOwner, _ addresses: AddressGuard?, _ urls: PublicURL,
        _ clock: SteadyClock
    ) -> ClassifierService {
        let sender = ClassifierSender(
            addresses: addresses, publicURL: { urls.absolute($0) }, now: SystemClock.milliseconds)
        return ClassifierService(
            graph: graph, formerOwner: formerOwner, logger: logger, breakers: classifierBreakers, now: clock.now,
            ask: sender.ask)
    }

    /// Returns the files that SIGHUP reloads.
    func reloadables(
        _ firebase: FirebaseSender?, _ keys: KeySource?, _ certificates: CertificateWatch?
    ) -> [Reloadable] {
        var parts: [Reloadable] = []
        // First, so that the new file tells of the others.
        if let logFile { parts.append(Reloadable(name: logFile.path) { try logFile.reopen() }) }
        if let firebase, let file = configuration.fcmServiceAccount {
            parts.append(Reloadable(name: file) { firebase.use(try await ServiceAccount(file: file)) })
        }
        if let keys { parts.append(Reloadable(name: "keys of the OpenID Connect issuer") { try await keys.reload() }) }
        if let certificates {
            parts.append(Reloadable(name: certificates.certificate.files.chain) { try certificates.reload() })
        }
        return parts
    }

    /// Returns the Firebase sender. Throws `CommandFailure` for an unusable service account.
    func firebase() async throws -> FirebaseSender? {
        guard let file = configuration.fcmServiceAccount else { return nil }
        do {
            let account = try await ServiceAccount(file: file)
            return FirebaseSender(account: account, base: configuration.fcmURL, now: SystemClock.milliseconds)
        } catch let failure as ServiceAccount.Unusable {
            throw CommandFailure(failure.description)
        }
    }
}
