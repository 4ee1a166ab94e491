import GraphServices
import MediaJobs
import StrictJSON

/// The answer of ffprobe. It describes a file from outside, so nothing in it is trusted.
enum VideoReport {
    /// Longest duration that is believed, in seconds.
    private static let longest = 10_000_000.0
    /// Characters of a codec's name.
    private static let codecLength = 32

    /// - Throws: ``VideoFault``.
    static func properties(in report: [UInt8]) throws -> VideoProperties {
        guard let report = try? JSONReader.read(report), case .array(let streams)? = report.member("streams") else {
            throw VideoFault.machine("the report of ffprobe is not what was asked for")
        }
        guard let video = streams.first(where: { !isPicture($0) }) else {
            throw VideoFault.file("The file has no video track.")
        }
        guard let width = pixels(video, "width"), let height = pixels(video, "height"),
            let codec = video.member("codec_name")?.string, codec.utf8.count <= codecLength
        else { throw VideoFault.file("The video track cannot be read.") }
        guard width * height <= RequestLimits.videoPixels else {
            throw VideoFault.file(
                "A video may have at most \(RequestLimits.videoPixels) pixels in a picture; this one has "
                    + "\(width) × \(height).")
        }
        let duration = seconds(report.member("format")) ?? seconds(video)
        let isTurned = rotation(of: video) % 180 != 0
        return VideoProperties(
            duration: duration, width: isTurned ? height : width, height: isTurned ? width : height, codec: codec)
    }

    /// Returns true for a picture of the file, such as the cover of an album.
    private static func isPicture(_ stream: JSONValue) -> Bool {
        stream.member("disposition")?.member("attached_pic") == .integer(1)
    }

    private static func pixels(_ stream: JSONValue, _ name: String) -> Int? {
        guard case .integer(let number)? = stream.member(name), 1...1_000_000 ~= number else { return nil }
        return Int(number)
    }

    /// Milliseconds are enough.
    private static func seconds(_ part: JSONValue?) -> Double? {
        guard let number = part?.member("duration")?.string.flatMap(Double.init), 0...longest ~= number else {
            return nil
        }
        return (number * 1_000).rounded() / 1_000
    }

    private static func rotation(of stream: JSONValue) -> Int64 {
        guard case .array(let data)? = stream.member("side_data_list") else { return 0 }
        for entry in data {
            if case .integer(let degrees)? = entry.member("rotation") { return degrees }
        }
        return 0
    }
}

extension JSONValue {
    fileprivate func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    fileprivate var string: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
