import GraphServices

/// The file descriptors of a server, and what they are for.
///
/// No descriptor may be missing anywhere: libdispatch ends the process where it cannot open `/proc/self/task`, timers
/// without a descriptor never fire, and SQLite and Redis connections fail. So connections get what is left after
/// everything else has been provided for.
struct DescriptorBudget: Sendable, Equatable {
    /// Descriptors that are not for connections and the files they transfer: the database (writer, readers, log),
    /// Redis, event loops, timers, thumbnails, calls to webhooks, classifiers and issuers, and 32 for the system's
    /// libraries.
    static let ownDescriptors = 160
    /// Connections above those that are served that are told 503 at once.
    static let connectionRefusals = 64
    /// Connections that there must be room for.
    static let fewestConnections = ServerConfiguration.connectionCaps.lowerBound

    /// Connections that are served at once.
    let connections: Int
    /// Connections of one address (IPv6: of one /64); never all of them.
    let connectionsPerAddress: Int
    /// Connections above ``connections`` that are accepted to be told 503.
    let refusals: Int
    /// Files that are being sent, and files that are being received.
    let downloads: Int
    let uploads: Int
    /// Whether the descriptors did not suffice for what was asked for.
    let isLowered: Bool

    /// The descriptors that `serve` needs at least.
    static let minimum =
        Self.ownDescriptors + Self.connectionRefusals
        + Self.fewestConnections * (connectionShare + fileShare) / connectionShare

    /// Scarce descriptors: of 11 that are left, 8 are for connections and 3 for files that these transfer.
    private static let connectionShare = 8
    private static let fileShare = 3

    /// - Parameters:
    ///   - limit: file descriptors that the process may have open.
    ///   - wanted: connections to be served at once.
    ///   - wantedPerAddress: connections of one address; 0 is no limit.
    /// - Returns: nil if `limit` is below ``minimum``.
    init?(limit: Int, wanted: Int, wantedPerAddress: Int) {
        guard limit >= Self.minimum else { return nil }
        let free = limit - Self.ownDescriptors - Self.connectionRefusals
        let all = wanted + RequestLimits.downloads + RequestLimits.uploads
        if free >= all {
            (connections, downloads, uploads) = (wanted, RequestLimits.downloads, RequestLimits.uploads)
        } else {
            let files = free * Self.fileShare / (Self.connectionShare + Self.fileShare)
            uploads = min(RequestLimits.uploads, files / 3)
            downloads = min(RequestLimits.downloads, files - uploads)
            connections = min(wanted, free - uploads - downloads)
        }
        refusals = Self.connectionRefusals
        isLowered = free < all
        let share = isLowered ? max(connections / 2, 1) : connections
        connectionsPerAddress = wantedPerAddress == 0 ? connections : min(wantedPerAddress, share)
    }
}

extension DescriptorBudget {
    /// The limits on transfers that follow.
    var slots: [SlotBudget: (perHolder: Int, total: Int)] {
        [
            .uploads: (min(SlotBudget.uploads.limit.perHolder, uploads), uploads),
            .downloads: (SlotBudget.downloads.limit.perHolder, downloads),
        ]
    }
}
