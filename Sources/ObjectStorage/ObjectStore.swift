import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A client of an S3 service for one bucket, with the few calls that stored files need.
///
/// Nothing that the service answers is trusted: redirections are not followed, lengths are compared with those that
/// were asked for, and sizes and times are limited (``ObjectStoreLimits``).
package final class ObjectStore: Sendable {
    /// Called with the name of each operation and whether it succeeded.
    package typealias Observer = @Sendable (_ operation: Operation, _ error: ObjectStoreError?) -> Void

    package enum Operation: String, Sendable, CaseIterable {
        case put, get, head, delete, list, versioning
    }

    package let address: BucketAddress
    let signer: RequestSigner
    let limits: ObjectStoreLimits
    let client: HTTPClient
    /// Seconds since 1970.
    let now: @Sendable () -> Int64
    private let observe: Observer
    /// False once the service has said that it does not know conditional writes.
    let knowsConditions = Mutex(true)
    /// Seconds by which the service's clock is ahead of ours, at its last answer.
    private let skew = Mutex<Int64?>(nil)

    package init(
        _ address: BucketAddress, _ credentials: ServiceCredentials, limits: ObjectStoreLimits = ObjectStoreLimits(),
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) },
        observe: @escaping Observer = { _, _ in }
    ) {
        self.address = address
        self.limits = limits
        self.now = now
        self.observe = observe
        signer = RequestSigner(credentials: credentials, region: address.region)
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = TimeAmount(limits.connect)
        configuration.timeout.read = TimeAmount(limits.pause)
        configuration.timeout.write = TimeAmount(limits.pause)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = limits.connections
        configuration.httpVersion = .http1Only
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        // The client lives on until its connections are closed.
        client.shutdown { _ in }
    }

    /// Seconds by which the service's clock is ahead of ours; nil before its first answer with a date.
    package var clockSkew: Int64? { skew.withLock { $0 } }

    /// Makes a call, and repeats it after an early failure that may pass. `body` reads the answer.
    func call<Value: Sendable>(
        _ operation: Operation, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        var attempt = 1
        let start = ContinuousClock.now
        while true {
            do {
                let value = try await body()
                observe(operation, nil)
                return value
            } catch {
                if error is CancellationError || Task.isCancelled { throw CancellationError() }
                guard let failure = Self.failure(error) else { throw error }
                guard failure.isTransient, attempt < limits.attempts, start.duration(to: .now) < limits.repeats else {
                    observe(operation, failure)
                    throw failure
                }
                attempt += 1
                try await Task.sleep(for: limits.retryPause)
            }
        }
    }

    /// Sends a request. Throws for any status but those of `accepted`.
    func send(
        _ request: SignableRequest, digest: String = RequestSigner.emptyDigest, unsigned: [(String, String)] = [],
        body: HTTPClientRequest.Body? = nil, within limit: Duration, accepting accepted: Set<Int>
    ) async throws -> HTTPClientResponse {
        var request = request
        request.headers.append(("Host", address.endpoint.authority))
        let query = RequestSigner.encoded(request.query)
        let path = PercentEncoding.encode(request.path, keepsSlash: true)
        var sent = HTTPClientRequest(
            url: address.endpoint.description + path + (query.isEmpty ? "" : "?" + query))
        sent.method = HTTPMethod(rawValue: request.method)
        for (name, value) in signer.headers(for: request, digest: digest, at: now()) + unsigned {
            sent.headers.replaceOrAdd(name: name, value: value)
        }
        sent.body = body
        let response = try await client.execute(sent, timeout: TimeAmount(limit))
        noteTime(of: response)
        let status = Int(response.status.code)
        guard accepted.contains(status) else { throw await refusal(response) }
        return response
    }

    /// The path of a key, or of the bucket.
    func path(_ key: String = "") -> String {
        (address.endpoint.hasBucketInPath ? "/\(address.bucket)/" : "/") + key
    }

    /// Returns the whole body of a small answer.
    func collect(_ response: HTTPClientResponse, upTo bytes: Int) async throws -> ByteBuffer {
        do {
            return try await withDeadline(limits.answer) { try await response.body.collect(upTo: bytes) }
        } catch is NIOTooManyBytesError {
            throw ObjectStoreError.malformed("more than \(bytes) bytes")
        }
    }

    /// Reads the code of an error; its message may repeat what was signed.
    private func refusal(_ response: HTTPClientResponse) async -> ObjectStoreError {
        let status = Int(response.status.code)
        var code = ""
        if let body = try? await collect(response, upTo: limits.errorBytes),
            let text = (try? AnswerElement(parsing: body.readableBytesView))?["Code"]?.text,
            (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ $0.isUnreserved })
        {
            code = text
        }
        return status >= 500 && status != 501 || status == 429
            ? .failed(status: status, code: code) : .refused(status: status, code: code)
    }

    private func noteTime(of response: HTTPClientResponse) {
        guard let text = response.headers.first(name: "date"), let time = HTTPDate.seconds(text) else { return }
        let difference = time - now()
        skew.withLock { $0 = difference }
    }

    static func failure(_ error: any Error) -> ObjectStoreError? {
        switch error {
        case let error as ObjectStoreError: error
        case is DeadlineExceeded: .unreachable("time-out")
        case let error as HTTPClientError: .unreachable(error.shortDescription)
        case let error as AnswerElement.Malformed: .malformed(error.description)
        case let error as NIOConnectionError: .unreachable("cannot connect to \(error.host):\(error.port)")
        case let error as IOError: .unreachable(String(cString: strerror(error.errnoCode)))
        case let error as HTTPParserError: .malformed("\(error)")
        // A file that is sent fails with errors of its own.
        case is ChannelError, is NIOTooManyBytesError: .unreachable("connection lost")
        default: nil
        }
    }
}

struct DeadlineExceeded: Error {}

/// Runs `body`, and cancels it after a time.
///
/// - Throws: ``DeadlineExceeded``, the errors of `body`.
func withDeadline<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw DeadlineExceeded()
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw DeadlineExceeded() }
        return value
    }
}
