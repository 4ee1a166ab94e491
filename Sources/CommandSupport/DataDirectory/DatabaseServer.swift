import Foundation
import PostgreSQL

/// The PostgreSQL server that holds the database of a data directory.
package struct DatabaseServer: Sendable, Equatable {
    package static let environmentVariable = "GRAPHD_DATABASE"

    /// The lease that the one server of the database has.
    package static let leaseName = "database"

    /// The lease that must be free before tables of an older version are changed.
    ///
    /// - Parameter node: a node whose server has provably ended; nil: none is known.
    package static func lease(ofEnded node: Int64?) -> ServingLease { ServingLease(name: leaseName, endedOwner: node) }

    package let address: PostgreSQLAddress
    /// True if a server without a synchronous standby is refused.
    package var requiresStandby = false

    package init(address: PostgreSQLAddress) { self.address = address }

    /// - Parameters:
    ///   - text: an address.
    ///   - isArgument: true if it stands on the command line, which every user of the machine can read.
    /// - Throws: ``CommandFailure``, whose text does not repeat the password.
    package init(parsing text: String, isArgument: Bool) throws {
        do {
            address = try PostgreSQLAddress(parsing: text)
        } catch let malformed as PostgreSQLAddress.Malformed {
            throw CommandFailure(malformed.description)
        }
        guard !isArgument || !address.hasPassword else {
            throw CommandFailure(
                "A password on the command line shows in the list of processes. Give the address in "
                    + "\(Self.environmentVariable) or in the configuration file, or name a file with the password: "
                    + "postgres://user@host/database?passfile=/etc/graphd/pgpass")
        }
    }

    /// Returns the server that an argument names, else the environment; nil if neither does.
    ///
    /// - Throws: ``CommandFailure``.
    package static func named(
        _ argument: String?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> DatabaseServer? {
        if let argument { return try DatabaseServer(parsing: argument, isArgument: true) }
        guard let named = environment[environmentVariable], !named.isEmpty else { return nil }
        return try DatabaseServer(parsing: named, isArgument: false)
    }
}
