import Foundation

/// The names of all files below `directory`, without those of directories.
package func fileNames(below directory: String) throws -> Set<String> {
    var isDirectory: ObjCBool = false
    let names = try FileManager.default.subpathsOfDirectory(atPath: directory)
    return Set(
        names.filter {
            _ = FileManager.default.fileExists(atPath: directory + "/" + $0, isDirectory: &isDirectory)
            return !isDirectory.boolValue
        })
}

/// The names of the stored files in a server's directory of files, without the one that names the graph.
package func mediaNames(below directory: String) throws -> Set<String> {
    try fileNames(below: directory).subtracting(["graphd-graph"])
}
