import Database
import SocialGraph

/// Texts of a video, as rules judge them: labels of segments, sorted, then the transcript without its times.
extension SegmentStore.Reader {
    func videoTexts(of post: PostID) throws -> [String] {
        try Self.videoTexts(labels: labels(of: post), transcript: transcript(of: post))
    }

    /// Texts of `post` as it is, with these of its video; nil: it is gone.
    func screened(
        _ post: PostID, labels: [String], transcript: String?
    ) throws -> (community: CommunityID?, texts: [String])? {
        guard let (community, texts) = try ScreenedContent.textsBesideVideo(of: post, reader) else { return nil }
        return (community, texts + Self.videoTexts(labels: labels, transcript: transcript))
    }

    /// - Parameter transcript: WebVTT as it is stored.
    private static func videoTexts(labels: [String], transcript: String?) -> [String] {
        labels.sorted() + (transcript.map(spoken) ?? [])
    }

    func labels(of post: PostID) throws -> [String] {
        try reader.rows(Self.labelsQuery, [.post(post)]) { $0.text(0) }
    }

    func transcript(of post: PostID) throws -> String? {
        try reader.first(SegmentStore.transcriptQuery, [.post(post)]) { $0.optionalText(0) } ?? nil
    }

    static let labelsQuery = "SELECT label FROM segment WHERE post_id = ?1"

    /// Lines of a stored transcript without the head and the times, so that a phrase may go on in the next cue.
    private static func spoken(_ transcript: String) -> [String] {
        var spoken: [UInt8] = []
        for line in transcript.utf8.split(separator: 0x0A).dropFirst() {
            // Text has no arrows: they are written as references.
            if isTiming(line) { continue }
            spoken += line
            spoken.append(0x0A)
        }
        return spoken.isEmpty ? [] : [String(decoding: spoken, as: UTF8.self)]
    }

    private static func isTiming(_ line: Substring.UTF8View) -> Bool {
        var dashes = 0
        for byte in line {
            if byte == UInt8(ascii: ">"), dashes >= 2 { return true }
            dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
        }
        return false
    }
}
