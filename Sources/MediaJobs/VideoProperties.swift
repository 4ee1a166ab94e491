import SocialGraph

/// The properties of a video, as its file has them.
package struct VideoProperties: Sendable, Equatable {
    /// Seconds; nil if the file does not tell.
    package var duration: Double?
    /// Pixels, as the video is shown: after its rotation.
    package var width: Int
    package var height: Int
    /// The name of the codec in ffmpeg, such as `h264`.
    package var codec: String

    package init(duration: Double?, width: Int, height: Int, codec: String) {
        self.duration = duration
        self.width = width
        self.height = height
        self.codec = codec
    }

    /// The attributes of a post that shows the video.
    package var attributes: [String: AttributeValue] {
        var attributes: [String: AttributeValue] = [
            "width": .number(Double(width)), "height": .number(Double(height)), "codec": .text(codec),
        ]
        if let duration { attributes["duration"] = .number(duration) }
        return attributes
    }
}
