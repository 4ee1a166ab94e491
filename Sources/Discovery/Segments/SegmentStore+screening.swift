import Database
import SocialGraph

/// Texts of a video for screening rules: the labels of its segments, sorted, then the transcript without times.
extension SegmentStore.Reader {
    func videoTexts(of post: PostID) throws -> [String] {
        try Self.videoTexts(labels: labels(of: post), transcript: transcript(of: post))
    }

    /// Returns the texts of `post` with these texts of its video; nil if the post has been deleted.
    func screened(
        _ post: PostID, labels: [String], transcript: String?
    ) throws -> (community: CommunityID?, texts: [String])? {
        guard let (community, texts) = try ScreenedContent.textsBesideVideo(of: post, reader) else { return nil }
        return (community, texts + Self.videoTexts(labels: labels, transcript: transcript))
    }

    /// - Parameter transcript: WebVTT as stored.
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

    /// Returns the lines of a stored transcript as they are said, without header and times, so that a phrase may
    /// continue in the next cue.
    private static func spoken(_ transcript: String) -> [String] {
        var spoken = CueText()
        // Text never contains an arrow: it is stored as a character reference.
        for line in Array(transcript.utf8).split(separator: 0x0A).dropFirst() where !isTiming(line) {
            _ = spoken.add(line)
        }
        let text = spoken.text
        return text.isEmpty ? [] : [text]
    }

    private static func isTiming(_ line: ArraySlice<UInt8>) -> Bool {
        var dashes = 0
        for byte in line {
            if byte == UInt8(ascii: ">"), dashes >= 2 { return true }
            dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
        }
        return false
    }
}
