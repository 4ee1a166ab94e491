import Foundation
import ServiceTestSupport
import Testing

/// Commands of a document, run as they are written there.
enum GuideCommands {
    /// The blocks of shell commands in the document at `path`.
    static func blocks(of path: String) throws -> [String] {
        try APIDescription.source(path).matches(of: #/```sh\n((?s:.*?))```/#).map { String($0.1) }
    }

    /// Starts a server with a file and a post, and creates in `root` the directories that guides name.
    static func prepare(_ server: GraphdServer, in root: String) async throws {
        let author = try await server.person()
        try await server.start()
        _ = try await server.client(author).store(SampleFile.mp4())
        _ = try await server.client(author).publish()
        for folder in ["/mnt/backups", "/var/lib", "/var/tmp"] {
            try FileManager.default.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
        }
    }

    /// Commands of the operating system that need its root, or users that the package creates: run as this user, or
    /// only examined.
    private static let standIns = """
        sudo() { if [[ $1 == -u ]]; then shift 2; fi; "$@"; }
        chown() { [[ $1 == -R && $2 == graphd:graphd && -d $3 ]]; }
        apt() { [[ $1 == install ]]; }
        systemctl() { [[ $1 == stop && $2 == graphd ]]; }

        """

    /// Runs a script with the tests' `graphd` on its path, and expects exit status 0.
    static func run(
        _ script: String, _ surroundings: GraphdProcess.Surroundings = .init(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let folder = (try GraphdProcess.executable as NSString).deletingLastPathComponent
        let process = try GraphdProcess(
            ["-euc", "PATH=\(folder):$PATH\n" + standIns + script], executable: "/bin/bash", surroundings)
        let end = await process.wait()
        #expect(end == .exited(0), "\(script)\n\(process.lines)", sourceLocation: sourceLocation)
    }
}
