import Foundation
import GraphServices
import NIOCore
import ObjectStorage
import SocialGraph
import Synchronization

/// Stored files in a bucket of an S3 service, which all nodes read: `<prefix><hh>/<id>.<extension>`, as in a directory.
///
/// An object `graphd-graph` names the graph that owns the place, so that the sweep of another graph, or of a restored
/// copy, removes nothing. Nothing is written, listed or removed before it has been seen.
package final class MediaBucket: FileStorage {
    /// The name of the object with the owner, after the prefix.
    package static let ownerName = "graphd-graph"
    /// The setting of the database with the name of its graph.
    package static let graphSetting = "media_graph"
    /// Bytes of the owner's name.
    private static let ownerBytes = 128
    /// Time for which a link to a file is valid.
    static let linkSeconds = 60

    /// The failure at the last look at the service.
    package enum Fault: Sendable, Equatable {
        case unreachable(ObjectStoreError)
        case foreign
    }

    private struct State {
        var isConfirmed = false
        var fault: Fault?
    }

    package let store: ObjectStore
    private let graph: String
    private let work: BoundedWork
    private let state = Mutex(State())

    /// - Parameters:
    ///   - graph: the name of the graph, from ``graphSetting``.
    ///   - work: the threads that read spooled files.
    package init(_ store: ObjectStore, of graph: String, work: BoundedWork) {
        self.store = store
        self.graph = graph
        self.work = work
    }

    package var isShared: Bool { true }
    /// A list of all files costs a call for each thousand, so it is made once a day.
    package var roundsBetweenListings: Int { 24 }

    /// The fault at the last look; nil if there was none.
    package var fault: Fault? { state.withLock { $0.fault } }

    /// Makes sure that the place belongs to this graph, and takes it if it belongs to nobody.
    ///
    /// - Throws: ``BucketFailure``.
    package func confirm() async throws {
        if state.withLock({ $0.isConfirmed }) { return }
        let owner = try await asking { try await self.owner() }
        guard owner == Array(graph.utf8) else {
            state.withLock { $0.fault = .foreign }
            throw BucketFailure.foreign
        }
        state.withLock { $0 = State(isConfirmed: true) }
    }

    private func owner() async throws -> [UInt8]? {
        let key = ownerKey
        if let owner = try await store.content(of: key, upTo: Self.ownerBytes) { return owner }
        do {
            try await store.put(Array(graph.utf8), as: key)
        } catch ObjectStoreError.refused(412, _) {
            // Another graph has taken it meanwhile.
        }
        return try await store.content(of: key, upTo: Self.ownerBytes)
    }

    /// Leaves the place to another graph.
    package func giveUp() async {
        state.withLock { $0.isConfirmed = false }
        try? await store.delete(ownerKey)
    }

    /// Looks whether the service answers, and remembers the fault if it does not.
    package func look() async {
        do {
            try await confirm()
            _ = try await asking { try await store.head(ownerKey) }
            state.withLock { $0.fault = nil }
        } catch {
            // `asking` and `confirm` have noted the fault.
        }
    }

    private func asking<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as ObjectStoreError {
            state.withLock { $0.fault = .unreachable(error) }
            throw BucketFailure.service(error)
        }
    }

    private var ownerKey: String { store.address.prefix + Self.ownerName }

    package func place(of id: MediaID, named fileName: String) -> String {
        store.address.prefix + MediaDirectory.folder(of: id) + "/" + fileName
    }

    /// Sends the files one by one, and removes them from the spool.
    ///
    /// - Throws: ``BucketFailure``; ``FileFailure`` of the spool.
    package func put(_ files: [SpooledFile], for holder: BudgetHolder) async throws {
        try await confirm()
        for file in files {
            let (description, path) = (file.description, file.path)
            let object = NewObject(
                key: place(of: description.id, named: description.fileName), bytes: description.bytes,
                sha256: description.sha256, contentType: description.contentType)
            try await asking {
                try await store.put(object) { [work] in SpooledContent(path: path, work: work, holder: holder) }
            }
        }
        for file in files { try? await work.run(for: holder) { try Spool.remove(file.path) } }
    }

    /// - Throws: ``BucketFailure``, ``StoredFileFault``.
    package func open(
        _ file: FileDescription, _ range: Range<Int64>, for holder: BudgetHolder
    ) async throws -> any FileContent {
        let key = place(of: file.id, named: file.fileName)
        return try await asking {
            guard !range.isEmpty else {
                guard let info = try await store.head(key) else { throw StoredFileFault.missing }
                guard info.bytes == file.bytes else { throw StoredFileFault.otherLength }
                return NoContent()
            }
            do {
                guard let body = try await store.get(key, range, of: file.bytes) else { throw StoredFileFault.missing }
                return BucketContent(body: body)
            } catch is OtherLength {
                throw StoredFileFault.otherLength
            }
        }
    }

    /// Compares the length, and the digest that was stored with the object.
    ///
    /// - Throws: ``BucketFailure``.
    package func has(_ file: FileDescription) async throws -> Bool {
        let info = try await asking { try await store.head(place(of: file.id, named: file.fileName)) }
        return info == ObjectInfo(bytes: file.bytes, sha256: Hexadecimal.encode(file.sha256))
    }

    /// - Throws: ``BucketFailure``.
    package func remove(_ places: [String]) async throws {
        try await confirm()
        for key in places { try await asking { try await store.delete(key) } }
    }

    /// - Throws: ``BucketFailure``.
    package func files(at cursor: String?) async throws -> (files: [StoredFileEntry], next: String?) {
        try await confirm()
        let page = try await asking { try await store.list(at: cursor) }
        return (page.keys.compactMap { entry($0) }, page.next)
    }

    /// Returns the stored file of a key; nil for any other object.
    private func entry(_ key: String) -> StoredFileEntry? {
        let name = key.split(separator: "/").last.map(String.init) ?? ""
        guard let id = MediaFileName.id(in: name), place(of: id, named: name) == key else { return nil }
        return StoredFileEntry(id: id, fileName: name, place: key)
    }

    package func link(to file: FileDescription, method: String) -> String? {
        guard store.address.links == .signed else { return nil }
        let headers = [
            ("response-cache-control", "private, no-store"), ("response-content-disposition", "inline"),
            ("response-content-type", file.contentType),
        ]
        return store.link(
            to: place(of: file.id, named: file.fileName), method: method, headers: headers,
            validFor: Self.linkSeconds)
    }
}

/// A failure of the place of stored files in a bucket.
package enum BucketFailure: StorageFailure, CustomStringConvertible {
    case service(ObjectStoreError)
    /// The place belongs to another graph.
    case foreign

    package var description: String {
        switch self {
        case .service(let error): "the store of files: \(error)"
        case .foreign: "the store of files belongs to another graph"
        }
    }

    package var problem: Problem {
        Problem(
            .unavailable, "The store of files does not answer at the moment. Try again shortly.",
            advice: [.retry(afterSeconds: 5)], underlying: self)
    }
}

/// Bytes of an object.
private struct BucketContent: FileContent {
    let body: ObjectBody

    func forEachPiece(_ body: (ByteBuffer) async throws -> Void) async throws {
        try await self.body.forEachPiece(body)
    }
}

private struct NoContent: FileContent {
    func forEachPiece(_ body: (ByteBuffer) async throws -> Void) async throws {}
}
