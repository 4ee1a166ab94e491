import GraphServices
import NIOCore
import SocialGraph

extension MediaUpload {
    /// Stores the pictures that users send of themselves, within JSON, as files like any other.
    package var profilePictures: ProfilePictures {
        let field = "profilePicData"
        return ProfilePictures(
            check: { bytes in
                guard isShared() else { throw Problem.mediaNotShared }
                guard let type = MediaType(leadingBytes: bytes), type.kind == .picture else {
                    throw Problem(.unsupportedMedia, "\"\(field)\" must be \(MediaType.expectedPicture).", field: field)
                }
                guard bytes.count <= store.limits.picture else {
                    throw Problem(
                        .bodyTooLarge, "A picture may have at most \(store.limits.picture) bytes.", field: field)
                }
                var intake = PictureIntake(type, field: field)
                _ = try intake.kept(of: ByteBuffer(bytes: bytes))
                try intake.finish()
            },
            store: { owner, bytes in
                let picture = try await storePicture(bytes, owner: owner, field: field)
                return (picture.id, picture.path)
            })
    }
}
