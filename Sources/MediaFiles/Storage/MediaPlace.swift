import Database
import Foundation
import SocialGraph

/// The settings of a database that concern the place of its files.
package enum MediaPlace {
    /// The setting with the place in use: ``directory``, or the address of a bucket.
    package static let setting = "media_place"
    package static let directory = "directory"

    /// Returns the name by which the place of its files knows the graph, which it gets once.
    package static func graphName(in graph: GraphStore) async throws -> String {
        // A disk may be too full to write.
        if let name = try await graph.settings.setting(MediaBucket.graphSetting) { return name }
        return try await graph.settings.writeSettings { reader, writer in
            if let name = try reader.setting(MediaBucket.graphSetting) { return name }
            let name = UUID().uuidString.lowercased()
            try writer.store(name, as: MediaBucket.graphSetting)
            return name
        }
    }
}
