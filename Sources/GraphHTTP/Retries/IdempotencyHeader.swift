import GraphServices
import HTTPTypes
import Idempotency

/// The `Idempotency-Key` header: 1 to 255 visible ASCII characters.
package enum IdempotencyHeader {
    package static func key(in headers: HTTPFields) throws -> String? {
        guard let key = headers[.idempotencyKey] else { return nil }
        let isVisible = key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isVisible, (1...IdempotencyLimits.keyLength).contains(key.utf8.count) else {
            throw Problem(
                .invalidHeader,
                "Idempotency-Key must be 1 to \(IdempotencyLimits.keyLength) visible ASCII characters.",
                field: "Idempotency-Key")
        }
        return key
    }
}

extension HTTPField.Name {
    static let idempotencyKey = constant("Idempotency-Key")
    static let idempotentReplayed = constant("Idempotent-Replayed")
}
