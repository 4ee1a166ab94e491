import Database
import SocialGraph

/// Devices that receive pushes.
package struct DeviceStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension DeviceStore {
    /// Registers the device of a token for `user`. A token belongs to the user who registered it last. Idempotent.
    /// Beyond ``PushLimits/devicesPerUser`` the oldest registration is evicted. Throws ``GraphError/accountNotFound``.
    package func registerDevice(
        _ token: String, platform: Device.Platform, app: String?, of user: UserID
    ) async throws {
        try await database.write { transaction in
            try AccountStore.Reader(transaction).requireAccounts([user])
            let known = try transaction.first(Self.deviceProbe, [.text(token)]) {
                (id: $0.integer(0), user: UserID(rawValue: $0.integer(1)))
            }
            if let known, known.user == user {
                try transaction.execute(
                    "UPDATE device SET platform = ?2, app = ?3 WHERE id = ?1",
                    [.integer(known.id), .text(platform.rawValue), .optional(app)])
                return
            }
            if let known { try Writer(transaction).deleteDevice(known.id) }
            let devices = try Reader(transaction).devices(of: user)
            for device in devices.dropFirst(PushLimits.devicesPerUser - 1) {
                try Writer(transaction).deleteDevice(device.id)
            }
            try transaction.execute(
                "INSERT INTO device (id, user_id, token, platform, app, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                [
                    .integer(try transaction.nextID()), .user(user), .text(token), .text(platform.rawValue),
                    .optional(app), .integer(transaction.now),
                ])
        }
    }

    static let deviceProbe = "SELECT id, user_id FROM device WHERE token = ?1"

    /// Returns the devices, latest registration first: at most ``PushLimits/devicesPerUser``.
    package func devices(of user: UserID) async throws -> [Device] {
        try await database.read { try Reader($0).devices(of: user) }
    }

    /// Removes the registration of a token if it belongs to the user. Idempotent.
    package func removeDevice(_ token: String, of user: UserID) async throws {
        try await database.write { transaction in
            let known = try transaction.first(Self.deviceProbe, [.text(token)]) {
                (id: $0.integer(0), user: UserID(rawValue: $0.integer(1)))
            }
            guard let known, known.user == user else { return }
            try Writer(transaction).deleteDevice(known.id)
        }
    }
}

extension DeviceStore.Reader {
    func devices(of user: UserID) throws -> [Device] {
        try reader.rows(Self.devicesQuery, [.user(user)], Device.init(row:))
    }

    static let devicesQuery = """
        SELECT id, token, platform, app, created_at FROM device WHERE user_id = ?1 ORDER BY id DESC
        """
}

extension DeviceStore.Writer {
    /// Deletes a device with its waiting deliveries.
    func deleteDevice(_ id: Int64) throws {
        try transaction.execute("DELETE FROM device WHERE id = ?1", [.integer(id)])
        try transaction.execute(Self.deleteDeliveriesStatement, [.text(PushChannel.device.rawValue), .integer(id)])
    }

    static let deleteDeliveriesStatement = "DELETE FROM push_delivery WHERE channel = ?1 AND target_id = ?2"
}

extension Device {
    init(row: any SQLRow) throws {
        id = row.integer(0)
        token = row.text(1)
        platform = try row.choice(2)
        app = row.optionalText(3)
        createdAt = row.integer(4)
    }
}
