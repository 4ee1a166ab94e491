import Database
import Logging
import ServiceLifecycle

/// Services of which one node of several runs all, under one lease. Each can be run again after it has ended.
struct Upkeep: Service {
    static let leaseName = "upkeep"

    private let duty: LeasedDuty
    private let services: [any Service]

    /// - Parameter node: the number of this node.
    init(_ services: [any Service], of node: Int64, in leases: LeaseStore, logger: Logger) {
        self.services = services
        duty = LeasedDuty(
            Self.leaseName, of: node, in: leases, logger: logger, isStopping: { Task.isShuttingDownGracefully })
    }

    /// Runs until the server shuts down. The services then finish what they have begun, and the lease is released.
    func run() async throws {
        await duty.run { _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for service in services { group.addTask { try await service.run() } }
                // The first error ends all of them.
                for try await _ in group {}
            }
        }
    }
}
