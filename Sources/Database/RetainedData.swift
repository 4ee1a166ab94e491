/// Data that is removed by its age. An operator sets the ages (`serve --retention`); they are stored with the data, so
/// that every process of a data directory removes the same.
package enum RetainedData: String, Sendable, CaseIterable {
    /// Notifications; the age of a group is that of its latest act.
    case notifications
    /// Log-ins, with their addresses.
    case logIns
    /// The change log: a stream that was away for longer starts again, and another process clears its caches.
    case streamEvents
    /// Events that app webhooks receive and can have replayed.
    case webhookEvents
    /// Messages to webhooks that failed after all attempts.
    case failedDeliveries

    /// The age if none is set, in milliseconds.
    package var standard: Int64 {
        switch self {
        case .notifications, .logIns: 90 * Milliseconds.day
        case .streamEvents: Milliseconds.hour
        case .webhookEvents, .failedDeliveries: 7 * Milliseconds.day
        }
    }

    /// The ages that may be set, in milliseconds.
    package var ages: ClosedRange<Int64> {
        switch self {
        case .notifications, .logIns: Milliseconds.day...3_660 * Milliseconds.day
        // Caches and streams are brought up to date from the log; a short pause of a process must not cut it.
        case .streamEvents: 10 * Milliseconds.minute...7 * Milliseconds.day
        // A receiver may be away for as long as attempts are made, about a day.
        case .webhookEvents, .failedDeliveries: 2 * Milliseconds.day...90 * Milliseconds.day
        }
    }

    package var setting: String { "retention_\(rawValue)" }
}

extension SettingStore {
    /// Stores the ages, in milliseconds; the standard one for data that is not named.
    package func store(_ ages: [RetainedData: Int64]) async throws {
        try await database.write { transaction in
            for data in RetainedData.allCases {
                try Writer(transaction).store(String(ages[data] ?? data.standard), as: data.setting)
            }
        }
    }
}

extension SettingStore.Reader {
    /// The age from which data is removed, in milliseconds.
    package func age(of data: RetainedData) throws -> Int64 { try number(data.setting) ?? data.standard }
}

extension GraphTransaction {
    /// The time before which data is removed, in milliseconds since 1970.
    package func horizon(of data: RetainedData) throws -> Int64 {
        expiryTime - (try SettingStore.Reader(self).age(of: data))
    }
}
