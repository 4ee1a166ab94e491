import CommandSupport
import GraphAPI
import StrictJSON

/// A note in the data directory about the last finished backup, `last-backup.json`, from which its age can be told.
package struct LastBackup: Sendable, Equatable {
    package static let fileName = "last-backup.json"
    private static let limit = 16_384

    /// Everything acknowledged before this time is in the backup; milliseconds since 1970.
    package let instant: Int64
    /// Milliseconds since 1970 at which the backup was complete.
    package let finished: Int64
    /// The absolute path of the backup.
    package let destination: String
    package let files: Int64
    package let bytes: Int64

    package init(instant: Int64, finished: Int64, destination: String, files: Int64, bytes: Int64) {
        self.instant = instant
        self.finished = finished
        self.destination = destination
        self.files = files
        self.bytes = bytes
    }

    /// Replaces the note of the backup before.
    func store(in directory: DataDirectory) throws {
        var json = JSONWriter(reservingCapacity: 256)
        json.beginObject()
        json.member("format", 1)
        json.member("instant", time: instant)
        json.member("instantMilliseconds", instant)
        json.member("finishedMilliseconds", finished)
        json.member("destination", destination)
        json.member("files", files)
        json.member("bytes", bytes)
        json.endObject()
        try NewFile.replace(
            directory.path + "/" + Self.fileName, with: json.bytes + [UInt8(ascii: "\n")], in: directory.path)
    }

    /// Reads the note; nil if no backup was made of the directory, or the note is unreadable.
    package static func load(from directory: DataDirectory) -> LastBackup? {
        guard let content = try? RegularFile.content(directory.path + "/" + fileName, limit: limit),
            let json = try? JSONReader.read(content, maxDepth: 2),
            json.member("format")?.integerValue == 1,
            let instant = json.member("instantMilliseconds")?.integerValue,
            let finished = json.member("finishedMilliseconds")?.integerValue,
            let destination = json.member("destination")?.stringValue,
            let files = json.member("files")?.integerValue, let bytes = json.member("bytes")?.integerValue
        else { return nil }
        return LastBackup(instant: instant, finished: finished, destination: destination, files: files, bytes: bytes)
    }
}
