import MediaJobs
import SocialGraph

/// The result of an upload.
package struct Upload: Sendable {
    package let file: Media
    /// The thumbnail, uploaded or made from the video; nil if there is neither.
    package let thumbnail: Media?
    /// The properties of a video that has been examined; nil for a picture.
    package let properties: VideoProperties?
    /// The text of the form by field, in order of arrival.
    package let fields: [String: [String]]

    /// - Parameter files: the file, then the thumbnail if there is one.
    package init(_ files: [Media], properties: VideoProperties? = nil, fields: [String: [String]] = [:]) {
        file = files[0]
        thumbnail = files.count > 1 ? files[1] : nil
        self.properties = properties
        self.fields = fields
    }
}
