import Foundation
import TestSupport
import Testing

@testable import ObjectStorage

@Suite(.timeLimit(.unit))
struct BucketAddressTests {
    @Test func `an address names bucket, prefix, endpoint and region`() throws {
        let address = try BucketAddress(
            parsing: "s3://media/graph/a?endpoint=http://127.0.0.1:8333&region=eu-1&links=signed&credentials=/etc/s3")
        #expect(address.bucket == "media" && address.prefix == "graph/a/")
        #expect(address.endpoint.description == "http://127.0.0.1:8333" && address.region == "eu-1")
        #expect(address.links == .signed && address.credentialsFile == "/etc/s3")
        #expect(address.description == "s3://media/graph/a/")
    }

    @Test(arguments: [
        ("s3://media?region=eu-central-1", "https://media.s3.eu-central-1.amazonaws.com", false),
        ("s3://my.media?region=eu-central-1", "https://s3.eu-central-1.amazonaws.com", true),
        ("s3://media?endpoint=https://S3.example.org:443/", "https://s3.example.org", true),
        ("s3://media?endpoint=http%3A%2F%2F[::1]:9000", "http://[::1]:9000", true),
    ])
    func `the endpoint is given or that of AWS`(text: String, endpoint: String, isInPath: Bool) throws {
        let address = try BucketAddress(parsing: text)
        #expect(address.endpoint.description == endpoint)
        #expect(address.endpoint.hasBucketInPath == isInPath)
    }

    @Test(arguments: [
        "", "media", "http://media", "s3://", "s3://ab?region=x", "s3://Media?region=x", "s3://media",
        "s3://media/a//b?region=x", "s3://media/../b?region=x", "s3://media/ä?region=x", "s3://media?region=X",
        "s3://media?region=a&region=b", "s3://media?endpoint=ftp://h", "s3://media?endpoint=http://u:p@h",
        "s3://media?endpoint=http://h/path", "s3://media?region=x&links=public", "s3://media?region=x&secret=y",
        "s3://media?region=", "s3://key:hidden@media?region=x",
    ])
    func `other texts are refused without being repeated`(text: String) throws {
        let error = #expect(throws: BucketAddress.Malformed.self) { try BucketAddress(parsing: text) }
        #expect(error?.description.contains("hidden") == false)
    }

    @Test func `credentials come from a private file, else from the environment, and are never shown`() throws {
        let path = temporaryPath("credentials")
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("[default]\naws_access_key_id = AK\naws_secret_access_key = hidden/+=\n".utf8).write(
            to: URL(fileURLWithPath: path))
        chmod(path, 0o644)
        #expect(throws: ServiceCredentials.Unusable.self) {
            try ServiceCredentials.load(file: path, environment: [:])
        }
        chmod(path, 0o600)
        let read = try ServiceCredentials.load(file: path, environment: [:])
        #expect(read.accessKey == "AK" && read.secretKey == "hidden/+=")
        var text = "\(read)"
        dump(read, to: &text)
        #expect(!text.contains("hidden"))

        let aws = ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "B", "AWS_SESSION_TOKEN": "C"]
        let own = ["GRAPHD_S3_ACCESS_KEY": "D", "GRAPHD_S3_SECRET_KEY": "E"]
        #expect(try ServiceCredentials.load(file: nil, environment: aws).sessionToken == "C")
        #expect(try ServiceCredentials.load(file: nil, environment: aws.merging(own) { $1 }).accessKey == "D")
        #expect(throws: ServiceCredentials.Unusable.self) { try ServiceCredentials.load(file: nil, environment: [:]) }
    }
}
