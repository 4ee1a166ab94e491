import ObjectStorage
import TestSupport
import Testing

@testable import graphd

@Suite(.timeLimit(.unit))
struct MediaSettingTests {
    private static let keys = ["GRAPHD_S3_ACCESS_KEY": "AK", "GRAPHD_S3_SECRET_KEY": "hidden"]

    private func load(_ text: String, _ more: [Setting: String] = [:]) throws -> ServerConfiguration {
        try ServerConfiguration.load(
            commandLine: more.merging([.media: text]) { $1 }, environment: Self.keys)
    }

    private func message(_ text: String, _ more: [Setting: String] = [:]) -> String {
        let error = #expect(throws: ConfigurationError.self) { try load(text, more) }
        return error?.description ?? ""
    }

    @Test func `files are in the data directory or in a bucket`() throws {
        #expect(try ServerConfiguration.load(environment: Self.keys).media == nil)
        #expect(try ServerConfiguration.load(environment: [:]).mediaPlace == "directory")
        let configuration = try load("s3://media/a?endpoint=http://127.0.0.1:9000")
        #expect(configuration.mediaPlace == "s3://media/a/")
        let environment = Self.keys.merging(["GRAPHD_MEDIA": "s3://media?region=eu-1"]) { $1 }
        #expect(try ServerConfiguration.load(environment: environment).mediaPlace == "s3://media/")
    }

    @Test func `an address that cannot be used is refused without a credential`() {
        #expect(message("s3://media").contains("--media must have an endpoint, or the region of AWS"))
        #expect(message("s3://hidden:hidden@media?region=x").contains("must not hold credentials"))
        #expect(!message("s3://hidden:hidden@media?region=x").contains("hidden:"))
        #expect(message("s3://media?region=x&credentials=/nowhere").contains("cannot be read"))
        let large = message("s3://media?region=x", [.maxUpload: "5368709121"])
        #expect(large.contains("--max-upload must be at most 5368709120"))
        #expect(throws: ConfigurationError.self) {
            try ServerConfiguration.load(commandLine: [.media: "s3://media?region=x"], environment: [:])
        }
    }

    @Test func `the doctor names the right that is missing, and clocks that differ`() {
        func findings(_ state: MediaCheck.State, isOpen: Bool = false) -> [Finding] {
            MediaCheck(place: "s3://media/", endpoint: "http://h", isOpen: isOpen, state: state).findings
        }
        #expect(findings(.init()).map(\.level) == [.sound])
        #expect(
            findings(.init(skew: -120, keepsVersions: true), isOpen: true).map(\.level) == [
                .sound, .warning, .note, .note,
            ])
        let refused = findings(.init(deleting: .refused(status: 403, code: "AccessDenied")))
        #expect(refused.map(\.level) == [.failure] && refused[0].detail.contains("s3:DeleteObject"))
        let gone = findings(.init(listing: .unreachable("time-out")))
        #expect(gone.count == 1 && gone[0].detail.contains("does not answer: time-out"))
        let bucket = findings(.init(listing: .refused(status: 404, code: "NoSuchBucket")))
        #expect(bucket[0].remedy == "Create the bucket, or correct its name in --media.")
    }
}
