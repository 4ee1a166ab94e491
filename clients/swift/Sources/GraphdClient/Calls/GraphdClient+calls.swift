import Foundation

/// The ways in which generated methods read their answers.
extension GraphdClient {
    func value<Value: Decodable & Sendable>(_ call: Call) async throws -> Value {
        try await exchange.send(call) { try await exchange.decoded($0) }
    }

    /// Returns nil if the answer has no body.
    func optionalValue<Value: Decodable & Sendable>(_ call: Call) async throws -> Value? {
        try await exchange.send(call) { $0.status == 204 ? nil : try await exchange.decoded($0) }
    }

    func perform(_ call: Call) async throws {
        try await exchange.send(call) { response in
            _ = try await response.body.collected(limit: exchange.configuration.maximumAnswerSize)
        }
    }

    func text(_ call: Call) async throws -> String {
        try await exchange.send(call) { response in
            let limit = exchange.configuration.maximumAnswerSize
            return String(decoding: try await response.body.collected(limit: limit), as: UTF8.self)
        }
    }

    /// Returns as soon as the answer begins; its body is read by the caller, once.
    func download(_ call: Call) async throws -> BodyStream {
        try await exchange.send(call) { $0.body }
    }

    func events(_ call: Call) -> EventStream {
        EventStream(exchange: exchange, call: call)
    }
}
