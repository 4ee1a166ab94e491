import CommandSupport
import GraphAPI
import StrictJSON

/// One line of the list of files.
package struct BackupEntry: Sendable, Equatable {
    /// Bytes of a line.
    package static let lineLimit = 512

    /// The path from the root of the backup or of the data directory.
    package let path: String
    package let kind: BackupLayout.Kind
    package let digest: FileDigest

    /// Nil for a path that no file of a backup has.
    init?(path: String, digest: FileDigest) {
        guard let kind = BackupLayout.kind(of: path) else { return nil }
        self.path = path
        self.kind = kind
        self.digest = digest
    }

    /// The line, with its end.
    package var line: [UInt8] {
        var json = JSONWriter(reservingCapacity: 160)
        json.beginObject()
        json.member("path", path)
        json.key("bytes")
        json.integer(digest.bytes)
        json.member("sha256", digest.hexadecimal)
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// Parses a line without its end.
    ///
    /// - Throws: ``CommandFailure``.
    package init(line: [UInt8]) throws {
        guard line.count <= Self.lineLimit, let json = try? JSONReader.read(line, maxDepth: 2),
            let path = json.member("path")?.stringValue, let bytes = json.member("bytes")?.integerValue, bytes >= 0,
            let sha256 = json.member("sha256")?.stringValue.flatMap({ FileDigest.sha256(hexadecimal: $0) })
        else {
            throw CommandFailure("The list of files has a line that is not one of graphd: \(Self.shown(line)).")
        }
        guard let entry = BackupEntry(path: path, digest: FileDigest(bytes: bytes, sha256: sha256)) else {
            throw CommandFailure(
                "The list of files names \"\(TerminalText.safe(path))\", which is not a file of a backup. A backup has "
                    + "graph.db or graph.dump, token.key, token.keys and files such as media/1f/123.mp4.")
        }
        self = entry
    }

    private static func shown(_ line: [UInt8]) -> String {
        TerminalText.cut(TerminalText.safe(String(decoding: line.prefix(200), as: UTF8.self)), to: 80)
    }
}
