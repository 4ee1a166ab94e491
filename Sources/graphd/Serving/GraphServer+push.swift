import SocialGraph
import Timeline

extension GraphServer {
    /// Where webhooks may be; nil: there are none.
    func webhookAddresses() -> AddressGuard? {
        guard configuration.webhooks != .off else { return nil }
        return AddressGuard(
            allowsPrivate: configuration.webhooks == .anywhere, resolve: HostResolver().addresses(of:))
    }

    /// Throws `CommandFailure` for a service account that cannot be used.
    func pushService(
        _ graph: GraphStore, _ suggestions: PushSuggestions, _ timelines: TimelineService, _ addresses: AddressGuard?
    ) async throws -> PushService {
        let now = SystemClock.milliseconds
        let firebase = try await firebase()
        let webhooks = addresses.map { WebhookSender(addresses: $0, now: now) }
        return PushService(
            graph: graph, timelines: timelines.reader, suggestions: suggestions, messages: firebase?.send,
            webhooks: webhooks?.send, logger: logger)
    }

    func classifierService(
        _ graph: GraphStore, _ addresses: AddressGuard?, _ urls: PublicURL
    ) -> ClassifierService {
        let sender = ClassifierSender(
            addresses: addresses, publicURL: { urls.absolute($0) }, now: SystemClock.milliseconds)
        return ClassifierService(graph: graph, logger: logger, ask: sender.ask)
    }

    private func firebase() async throws -> FirebaseSender? {
        guard let file = configuration.fcmServiceAccount else { return nil }
        do {
            let account = try await ServiceAccount(file: file)
            return FirebaseSender(account: account, base: configuration.fcmURL, now: SystemClock.milliseconds)
        } catch let failure as ServiceAccount.Unusable {
            throw CommandFailure(failure.description)
        }
    }
}
