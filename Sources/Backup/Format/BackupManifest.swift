import CommandSupport
import Database
import GraphAPI
import GraphAssembly
import StrictJSON

/// The description of a backup. Its digest stands in a file beside it, and it holds the digest of the list of files,
/// which holds those of all others.
package struct BackupManifest: Sendable, Equatable {
    /// Bytes of a manifest.
    package static let limit = 65_536

    /// The version and the commit of the graphd that wrote the backup.
    package let version: String
    package let commit: String
    /// The latest change of the tables that the database has.
    package let schema: String
    /// Everything acknowledged before this time is in the backup; by RFC 3339.
    package let instant: String
    /// The place of the last change in the change log, and the last id that was assigned.
    package let lastChange: Int64
    package let lastID: Int64
    /// Lines of the list of files, and the length of these files.
    package let files: Int64
    package let bytes: Int64
    /// Files in media.
    package let media: Int64
    /// Files in media that the database names and that were missing or damaged when the backup was made.
    package let missing: Int64
    /// Accounts, each of which has a home timeline.
    package let timelines: Int64
    package let list: FileDigest
    package var engine = SavedEngine.sqlite

    package var encoded: [UInt8] {
        var json = JSONWriter(reservingCapacity: 1_024)
        json.beginObject()
        json.member("format", engine.format)
        json.member("version", version)
        json.member("commit", commit)
        json.member("schema", schema)
        json.member("instant", instant)
        json.member("lastChange", lastChange)
        json.member("lastId", lastID)
        json.member("files", files)
        json.member("bytes", bytes)
        json.member("media", media)
        json.member("missing", missing)
        json.member("timelines", timelines)
        engine.write(into: &json)
        json.key("list")
        json.beginObject()
        json.member("path", BackupLayout.list)
        json.member("bytes", list.bytes)
        json.member("sha256", list.hexadecimal)
        json.endObject()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// The file with the digest of an encoded manifest.
    static func digestFile(of encoded: [UInt8]) -> [UInt8] {
        Array("\(FileDigest(of: encoded).hexadecimal)  \(BackupLayout.manifest)\n".utf8)
    }
}

extension BackupManifest {
    /// Parses a manifest of this version's format, or an earlier one.
    ///
    /// - Throws: ``CommandFailure``.
    package init(encoded: [UInt8]) throws {
        guard let json = try? JSONReader.read(encoded, maxDepth: 4),
            let format = json.member("format")?.integerValue, format >= 1
        else { throw CommandFailure("The manifest is not one of a backup of graphd.") }
        // Versions are shown even if nothing else is understood.
        let (version, commit) = (try Self.text("version", of: json), try Self.text("commit", of: json))
        guard format <= BackupLayout.format else {
            throw CommandFailure(
                "The backup has format \(format), and this graphd reads formats up to \(BackupLayout.format). Restore "
                    + "it with graphd \(version) (\(commit)), which wrote it, or with a later version.")
        }
        guard let list = json.member("list"),
            let digest = list.member("sha256")?.stringValue.flatMap({ FileDigest.sha256(hexadecimal: $0) })
        else { throw CommandFailure("The manifest lacks the digest of the list of files.") }
        self.init(
            version: version, commit: commit, schema: try Self.text("schema", of: json),
            instant: try Self.text("instant", of: json), lastChange: try Self.number("lastChange", of: json),
            lastID: try Self.number("lastId", of: json), files: try Self.number("files", of: json),
            bytes: try Self.number("bytes", of: json), media: try Self.number("media", of: json),
            missing: try Self.number("missing", of: json), timelines: try Self.number("timelines", of: json),
            list: FileDigest(bytes: try Self.number("bytes", of: list), sha256: digest),
            engine: try SavedEngine(format: format, manifest: json))
    }

    private static func text(_ name: String, of json: JSONValue) throws -> String {
        guard let text = json.member(name)?.stringValue, text.utf8.count <= 200 else {
            throw CommandFailure("The manifest lacks \"\(name)\".")
        }
        return TerminalText.safe(text)
    }

    private static func number(_ name: String, of json: JSONValue) throws -> Int64 {
        guard let number = json.member(name)?.integerValue, number >= 0 else {
            throw CommandFailure("The manifest lacks the number \"\(name)\".")
        }
        return number
    }

    /// - Throws: ``CommandFailure`` if the database has tables that this version does not know.
    func requireKnownSchema() throws {
        let known = DatabaseSchema.graph.changeNames
        guard known.contains(schema) else {
            throw CommandFailure(
                "The backup was written by graphd \(version) (\(commit)) and has the tables \"\(schema)\", which this "
                    + "version does not know. Restore it with that version or a later one.")
        }
    }
}

extension String {
    /// A time by RFC 3339.
    static func timestamp(milliseconds: Int64) -> String {
        var json = JSONWriter()
        json.timestamp(milliseconds: milliseconds)
        return String(decoding: json.bytes.dropFirst().dropLast(), as: UTF8.self)
    }
}
