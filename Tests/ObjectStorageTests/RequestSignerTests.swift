import Crypto
import TestSupport
import Testing

@testable import ObjectStorage

/// The examples that AWS publishes for Signature Version 4 in S3.
@Suite(.timeLimit(.unit))
struct RequestSignerTests {
    /// 2013-05-24T00:00:00Z
    private static let time: Int64 = 1_369_353_600

    private static func signer() throws -> RequestSigner {
        RequestSigner(
            credentials: try ServiceCredentials(
                accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1")
    }

    private func authorization(_ request: SignableRequest, digest: String) throws -> String? {
        var request = request
        request.headers.append(("Host", "examplebucket.s3.amazonaws.com"))
        return try Self.signer().headers(for: request, digest: digest, at: Self.time)
            .first { $0.name == "Authorization" }?.value
    }

    private func signature(_ request: SignableRequest, digest: String = RequestSigner.emptyDigest) throws -> String? {
        try authorization(request, digest: digest).flatMap { text in
            text.firstRange(of: "Signature=").map { String(text[$0.upperBound...]) }
        }
    }

    @Test func `a range of an object is signed as published`() throws {
        let request = SignableRequest(method: "GET", path: "/test.txt", headers: [("Range", "bytes=0-9")])
        #expect(
            try authorization(request, digest: RequestSigner.emptyDigest)
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    }

    @Test func `an object to store is signed as published`() throws {
        let digest = Hexadecimal.encode(SHA256.hash(data: Array("Welcome to Amazon S3.".utf8)))
        let request = SignableRequest(
            method: "PUT", path: "/test$file.text",
            headers: [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")])
        #expect(
            try signature(request, digest: digest)
                == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
    }

    @Test func `queries are signed as published`() throws {
        let lifecycle = SignableRequest(method: "GET", path: "/", query: [("lifecycle", "")])
        #expect(try signature(lifecycle) == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
        let list = SignableRequest(method: "GET", path: "/", query: [("prefix", "J"), ("max-keys", "2")])
        #expect(try signature(list) == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test func `a link is signed as published`() throws {
        let request = SignableRequest(
            method: "GET", path: "/test.txt", headers: [("Host", "examplebucket.s3.amazonaws.com")])
        #expect(
            try Self.signer().query(for: request, validFor: 86_400, at: Self.time)
                == "X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
    }

    @Test func `a token of temporary credentials is signed`() throws {
        let signer = RequestSigner(
            credentials: try ServiceCredentials(accessKey: "A", secretKey: "s", sessionToken: "t"), region: "r")
        let headers = signer.headers(
            for: SignableRequest(method: "GET", path: "/"), digest: RequestSigner.emptyDigest, at: 0)
        #expect(headers.contains { $0.name == "x-amz-security-token" && $0.value == "t" })
        #expect(headers.last?.value.contains("x-amz-date;x-amz-security-token,") == true)
    }
}
