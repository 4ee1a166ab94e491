import COpenAPI
import HTTPMiddleware
import NIOCore

/// The description of the API, and the files of the page that shows it, embedded in the binary.
enum ReferenceFiles {
    static let document = EmbeddedFile(
        "openapi.yaml", .yaml,
        // Proof: the C array is constant, and its length is that which the compiler gave it.
        Array(UnsafeBufferPointer(start: graphd_openapi(), count: graphd_openapi_length())))

    /// The document for clients that accept gzip, compressed once. Empty if it does not get smaller.
    static let compressedDocument = Gzip.compress(document.body) ?? ByteBuffer()

    static let site = EmbeddedSite(
        "The page", EmbeddedFile("reference.html", .html, PackageResources.reference_html),
        files: [
            EmbeddedFile("reference.css", .style, PackageResources.reference_css),
            EmbeddedFile("description.js", .script, PackageResources.description_js),
            EmbeddedFile("reference.js", .script, PackageResources.reference_js),
            EmbeddedFile("yaml.js", .script, PackageResources.yaml_js),
        ])
}
