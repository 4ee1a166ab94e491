/// Limits of the files of one user.
package struct MediaQuota: Sendable, Equatable {
    package var bytes: Int64
    package var files: Int64

    package init(bytes: Int64, files: Int64) {
        self.bytes = bytes
        self.files = files
    }
}

/// Number and total size of the files of one user.
package struct MediaUsage: Sendable, Equatable {
    package var bytes: Int64
    package var files: Int64

    package init(bytes: Int64 = 0, files: Int64 = 0) {
        self.bytes = bytes
        self.files = files
    }

    package static func + (left: MediaUsage, right: MediaUsage) -> MediaUsage {
        MediaUsage(bytes: left.bytes + right.bytes, files: left.files + right.files)
    }

    package static func - (left: MediaUsage, right: MediaUsage) -> MediaUsage {
        MediaUsage(bytes: left.bytes - right.bytes, files: left.files - right.files)
    }

    package func fits(_ quota: MediaQuota) -> Bool { bytes <= quota.bytes && files <= quota.files }
}

extension NewMedia {
    var usage: MediaUsage { MediaUsage(bytes: bytes, files: 1) }
}
