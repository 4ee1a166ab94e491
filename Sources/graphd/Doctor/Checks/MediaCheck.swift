import Foundation
import ObjectStorage

/// The bucket that holds the files: reachable, with the rights that graphd needs, and in time.
struct MediaCheck: Equatable {
    /// Seconds by which the clocks may differ. Services refuse requests beyond 900.
    private static let skewLimit: Int64 = 60

    /// The answers of a service.
    struct State: Equatable {
        var listing: ObjectStoreError?
        var writing: ObjectStoreError?
        var reading: ObjectStoreError?
        var deleting: ObjectStoreError?
        /// Seconds by which its clock is ahead; nil if it does not tell.
        var skew: Int64?
        /// Nil if it does not tell.
        var keepsVersions: Bool?
    }

    /// The bucket and the prefix.
    let place: String
    let endpoint: String
    /// True if bytes and signatures go over a network as they are.
    let isOpen: Bool
    let state: State

    var findings: [Finding] {
        let faults = failures
        guard faults.isEmpty else { return faults + clock }
        return [Finding(.media, .sound, "\(place) at \(endpoint) can be listed, written, read and cleared.")]
            + clock + versions + encryption
    }

    private var failures: [Finding] {
        if case .unreachable(let reason)? = state.listing {
            return [
                Finding(
                    .media, .failure, "The S3 service at \(endpoint) does not answer: \(reason).",
                    remedy: "Start it, or correct the endpoint of --media. Until then files are answered 503.")
            ]
        }
        let calls = [
            ("listed (s3:ListBucket)", state.listing), ("written (s3:PutObject)", state.writing),
            ("read (s3:GetObject)", state.reading), ("cleared (s3:DeleteObject)", state.deleting),
        ]
        return calls.compactMap { call, error in
            error.map {
                Finding(
                    .media, .failure, "\(place) at \(endpoint) cannot be \(call): \($0).",
                    remedy: Self.remedy($0))
            }
        }
    }

    private static func remedy(_ error: ObjectStoreError) -> String {
        switch error.code {
        case "NoSuchBucket": "Create the bucket, or correct its name in --media."
        case "InvalidAccessKeyId", "SignatureDoesNotMatch": "Correct the keys of the service, or the region of --media."
        case "RequestTimeTooSkewed": "Synchronise the clocks of both machines."
        default: "Give the key this right on the bucket, and see the log of the service."
        }
    }

    private var clock: [Finding] {
        guard let skew = state.skew, abs(skew) > Self.skewLimit else { return [] }
        return [
            Finding(
                .media, .warning, "The clock of \(endpoint) differs by \(skew) s. From 900 s on it refuses everything.",
                remedy: "Synchronise the clocks of both machines.")
        ]
    }

    private var versions: [Finding] {
        guard state.keepsVersions == true else { return [] }
        return [
            Finding(
                .media, .note, "The bucket keeps former versions, so deleted files stay in it and take space.",
                remedy: "Let a rule of the bucket expire noncurrent versions after some days.")
        ]
    }

    private var encryption: [Finding] {
        guard isOpen else { return [] }
        return [
            Finding(
                .media, .note, "Files go to \(endpoint) without encryption.",
                remedy: "Use https, unless the network between is yours.")
        ]
    }
}

extension MediaCheck {
    /// Asks the service, and stores and deletes a small object.
    init(_ access: BucketAccess) async {
        let store = ObjectStore(access.address, access.credentials)
        let endpoint = access.address.endpoint
        var state = State()
        state.listing = await Self.error { _ = try await store.list(at: nil) }
        if case .unreachable? = state.listing {} else { await Self.tryObject(in: store, &state) }
        state.skew = store.clockSkew
        state.keepsVersions = try? await store.keepsVersions()
        self.init(
            place: "\(access.address)", endpoint: "\(endpoint)",
            isOpen: !endpoint.isEncrypted && !["127.0.0.1", "localhost", "[::1]"].contains(endpoint.host), state: state)
    }

    private static func tryObject(in store: ObjectStore, _ state: inout State) async {
        let key = "\(store.address.prefix)graphd-doctor-\(UUID().uuidString.lowercased())"
        state.writing = await error { try await store.put(Array("graphd doctor".utf8), as: key) }
        guard state.writing == nil else { return }
        state.reading = await error { _ = try await store.content(of: key, upTo: 1_024) }
        state.deleting = await error { try await store.delete(key) }
    }

    private static func error(_ call: () async throws -> Void) async -> ObjectStoreError? {
        do {
            try await call()
            return nil
        } catch {
            return error as? ObjectStoreError ?? .unreachable("\(error)")
        }
    }
}
