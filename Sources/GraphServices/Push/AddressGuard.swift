import Glibc

/// Decides the address to which a webhook connects. The name is resolved here, every resulting address is checked, and
/// the connection goes to one of those, so that a name whose answers change ("DNS rebinding") reaches nothing else.
package struct AddressGuard: Sendable {
    /// The reason why nothing is sent to a host.
    package enum Refusal: Error, Equatable, CustomStringConvertible {
        case notPublic
        case notFound

        package var description: String {
            switch self {
            case .notPublic: "the host has an address outside the public internet"
            case .notFound: "the host has no address"
            }
        }
    }

    let allowsPrivate: Bool
    let resolve: @Sendable (String, BudgetHolder) async throws -> [IPAddress]

    /// - Parameter resolve: returns the addresses of a name, for a holder of places at the resolver.
    package init(
        allowsPrivate: Bool, resolve: @escaping @Sendable (String, BudgetHolder) async throws -> [IPAddress]
    ) {
        self.allowsPrivate = allowsPrivate
        self.resolve = resolve
    }

    /// Returns the address to connect to. All addresses of a name must be public: a private one among them is
    /// suspicious. Throws ``Refusal``, and the errors of resolving.
    ///
    /// - Parameter holder: the user, community or program that has chosen the name.
    package func address(of url: WebhookURL, for holder: BudgetHolder) async throws -> IPAddress {
        var addresses: [IPAddress] = []
        if let address = url.address { addresses = [address] } else { addresses = try await resolve(url.host, holder) }
        guard let first = addresses.first else { throw Refusal.notFound }
        guard allowsPrivate || addresses.allSatisfy(\.isPublic) else { throw Refusal.notPublic }
        // IPv4 first: a host without IPv6 could not reach the other.
        return addresses.first { $0.bytes.count == 4 } ?? first
    }
}

/// Resolves names with the system's resolver, which blocks, on its own threads. A name whose servers are silent takes
/// many seconds, so each holder has a share of the threads.
package final class HostResolver: Sendable {
    /// Threads that resolve names.
    static let threads = 4
    /// Threads that resolve names of one holder.
    static let threadsPerHolder = 2
    /// Names that may wait for a thread.
    static let namesWaiting = 64

    let work = BoundedWork(
        label: "resolver", concurrent: HostResolver.threads, perHolder: HostResolver.threadsPerHolder,
        waiting: HostResolver.namesWaiting)
    private let lookUp: @Sendable (String) throws -> [IPAddress]

    package convenience init() { self.init(lookUp: HostResolver.systemAddresses) }

    /// - Parameter lookUp: returns the addresses of a name. Blocks.
    init(lookUp: @escaping @Sendable (String) throws -> [IPAddress]) { self.lookUp = lookUp }

    /// Throws ``AddressGuard/Refusal/notFound``, and `Problem` 503 `busy` if too many names wait.
    package func addresses(of host: String, for holder: BudgetHolder) async throws -> [IPAddress] {
        try await work.run(for: holder) { [lookUp] in try lookUp(host) }
    }

    @Sendable private static func systemAddresses(of host: String) throws -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { throw AddressGuard.Refusal.notFound }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next {
            if let address = entry.pointee.ai_addr.flatMap({ IPAddress($0) }) { addresses.append(address) }
            next = entry.pointee.ai_next
        }
        return addresses
    }
}
