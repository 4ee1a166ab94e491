import Database
import NIOSSL
import Synchronization

/// The certificate of the server. A reload replaces it for new connections; open ones keep theirs.
final class ServerCertificate: Sendable {
    /// A file that cannot be used. The text is for the operator.
    struct Unusable: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    private struct Loaded: Sendable {
        let context: NIOSSLContext
        /// Seconds since 1970.
        let expiry: Int64
    }

    let files: CertificateFiles
    private let loaded: Mutex<Loaded>
    private let stamp: Mutex<[FileStamp?]>

    /// - Throws: ``Unusable``.
    init(_ files: CertificateFiles) throws {
        self.files = files
        stamp = Mutex(Self.stamp(of: files))
        loaded = Mutex(try Self.load(files))
    }

    /// The context of new connections.
    var context: NIOSSLContext { loaded.withLock { $0.context } }
    /// Time at which the certificate expires, in seconds since 1970.
    var expiry: Int64 { loaded.withLock { $0.expiry } }

    /// Loads the files.
    ///
    /// - Throws: ``Unusable``; the former certificate then stays in use.
    func reload() throws {
        stamp.withLock { $0 = Self.stamp(of: files) }
        let new = try Self.load(files)
        loaded.withLock { $0 = new }
    }

    /// Loads the files if one of them has changed since the last attempt.
    ///
    /// - Returns: true if they were loaded.
    /// - Throws: ``Unusable``.
    func reloadIfChanged() throws -> Bool {
        guard stamp.withLock({ $0 != Self.stamp(of: files) }) else { return false }
        try reload()
        return true
    }

    private static func load(_ files: CertificateFiles) throws -> Loaded {
        let chain: [NIOSSLCertificate]
        let key: NIOSSLPrivateKey
        do {
            chain = try NIOSSLCertificate.fromPEMFile(files.chain)
        } catch {
            throw Unusable(description: "The certificate file \(files.chain) cannot be read as PEM.")
        }
        do {
            key = try NIOSSLPrivateKey(file: files.key, format: .pem)
        } catch {
            throw Unusable(description: "The key file \(files.key) cannot be read as a private key in PEM.")
        }
        guard let leaf = chain.first else {
            throw Unusable(description: "The certificate file \(files.chain) has no certificate.")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["h2", "http/1.1"]
        do {
            return Loaded(
                context: try NIOSSLContext(configuration: configuration), expiry: Int64(leaf.notValidAfter))
        } catch {
            throw Unusable(
                description: "The key \(files.key) does not belong to the first certificate in \(files.chain).")
        }
    }

    private static func stamp(of files: CertificateFiles) -> [FileStamp?] {
        [files.chain, files.key].map { FileStatus($0).map(FileStamp.init) }
    }
}

/// Attributes that tell two states of a file apart.
private struct FileStamp: Sendable, Equatable {
    let inode: UInt64
    let bytes: Int64
    let seconds: Int
    let nanoseconds: Int

    init(_ status: FileStatus) {
        (inode, bytes, seconds, nanoseconds) = (status.inode, status.bytes, status.seconds, status.nanoseconds)
    }
}
