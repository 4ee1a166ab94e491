import Database
import Discovery
import GraphAPI
import SocialGraph

extension JSONWriter {
    /// Segments in their stored order.
    package mutating func segments(_ segments: [VideoSegment]) {
        beginObject()
        key("segments")
        beginArray()
        for segment in segments { self.segment(segment.id, segment.label, segment.start, segment.end) }
        endArray()
        member("derived", false)
        endObject()
    }

    package mutating func contents(_ contents: Contents) {
        beginObject()
        key("segments")
        beginArray()
        for entry in contents.entries { segment(entry.segment, entry.label, entry.start, entry.end) }
        endArray()
        member("derived", contents.isDerived)
        endObject()
    }

    mutating func transcript(_ transcript: Transcript) {
        beginObject()
        key("cues")
        beginArray()
        for cue in transcript.cues {
            beginObject()
            times(cue.start, cue.end)
            member("text", cue.text)
            endObject()
        }
        endArray()
        endObject()
    }

    package mutating func place(_ place: VideoPlace) {
        beginObject()
        member("kind", place.kind.rawValue)
        segmentMembers(place.segment, place.label)
        times(place.start, place.end)
        key("timestamp")
        seconds(milliseconds: place.timestamp)
        member("confidence", (place.confidence * 100).rounded() / 100)
        endObject()
    }

    /// The segmentation of one post in an export.
    mutating func ownSegmentation(_ own: OwnSegmentation) {
        beginObject()
        member("postId", id: own.post.rawValue)
        key("segments")
        beginArray()
        for segment in own.segmentation.segments {
            self.segment(segment.id, segment.label, segment.start, segment.end)
        }
        endArray()
        member("transcript", own.segmentation.transcript)
        endObject()
    }

    private mutating func segment(_ segment: SegmentID?, _ label: String, _ start: Int64, _ end: Int64) {
        beginObject()
        segmentMembers(segment, label)
        times(start, end)
        endObject()
    }

    private mutating func segmentMembers(_ segment: SegmentID?, _ label: String) {
        member("segmentId", id: segment?.rawValue)
        member("label", label)
    }

    private mutating func times(_ start: Int64, _ end: Int64) {
        key("startTime")
        seconds(milliseconds: start)
        key("endTime")
        seconds(milliseconds: end)
    }

    /// Seconds as a number, exact to the millisecond.
    private mutating func seconds(milliseconds: Int64) { number(Double(milliseconds) / 1_000) }
}
