import Foundation

/// A part of a form. One without a value is left out.
enum FormPart: Sendable {
    case field(String, String?)
    case file(String, UploadFile?)
}

/// A body of `multipart/form-data` (RFC 7578).
struct MultipartForm: Sendable {
    private let boundary = "graphd-" + UUID().uuidString
    private let parts: [(head: Data, content: UploadFile)]

    init(parts: [FormPart]) {
        let boundary = boundary
        self.parts = parts.compactMap { part in
            switch part {
            case .field(_, nil), .file(_, nil): nil
            case .field(let name, let value?):
                (Self.head(name, boundary: boundary), UploadFile(data: Data(value.utf8)))
            case .file(let name, let file?):
                // The server takes neither name nor type from here.
                (Self.head(name, boundary: boundary, more: "; filename=\"file\""), file)
            }
        }
    }

    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    private var end: Data { Data("--\(boundary)--\r\n".utf8) }

    /// The number of bytes, or nil if that of a file is not known.
    var length: Int64? {
        parts.reduce(Int64(end.count)) { sum, part in
            guard let sum, let length = part.content.length else { return nil }
            return sum + Int64(part.head.count) + length + 2
        }
    }

    /// The body in pieces. Each loop over it reads the files anew.
    func stream(_ progress: UploadProgress?) -> BodyStream {
        var sections: [BodyStream] = []
        for part in parts { sections += [BodyStream(part.head), part.content.content, BodyStream(Data("\r\n".utf8))] }
        sections.append(BodyStream(end))
        return Self.joined(sections, progress, total: length)
    }

    private static func joined(_ sections: [BodyStream], _ progress: UploadProgress?, total: Int64?) -> BodyStream {
        BodyStream {
            var rest = sections[...]
            var current: BodyStream.Iterator?
            var sent: Int64 = 0
            return {
                progress?(sent, total)
                while true {
                    if let piece = try await current?.next() {
                        sent += Int64(piece.count)
                        return piece
                    }
                    guard let next = rest.popFirst() else { return nil }
                    current = next.makeAsyncIterator()
                }
            }
        }
    }

    private static func head(_ name: String, boundary: String, more: String = "") -> Data {
        Data("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\(more)\r\n\r\n".utf8)
    }
}
