import ArgumentParser
import CommandSupport
import Foundation

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Examine an installation and say what is wrong with it.",
        discussion: """
            Takes the settings of 'graphd serve' and looks at them and their files, the data directory, its disk, \
            database and clock, the running server, its file descriptors and its Redis, the bucket of its files, the \
            programs that it starts, and the age of the last backup. It changes nothing but a small object that it \
            stores in that bucket and deletes, and a server may run meanwhile. Run it as the user \
            to whom the data directory belongs.

            Example:
              graphd doctor --config /etc/graphd/graphd.json
              graphd doctor --data-dir data --thorough --json

            Exit status: 0 nothing has to be done, 1 something does not work, 2 warnings, 64 wrong usage.
            """)

    @OptionGroup var options: ServeOptions

    @Flag(help: "Also read every page of the database, and check indexes and references.")
    var thorough = false

    @Option(
        help: ArgumentHelp("Age from which the last backup counts as too old. (default: 36h)", valueName: "duration"))
    var backupAge = "36h"

    @Flag(help: "Print one JSON object.")
    var json = false

    private static let backupAges = Duration.seconds(60) ... .seconds(366 * 86_400)

    func validate() throws { _ = try longestBackupAge() }

    private func longestBackupAge() throws -> Int64 {
        guard let age = DurationText.parse(backupAge), Self.backupAges.contains(age) else {
            throw ValidationError("--backup-age must be \(DurationText.expected), not '\(backupAge)'.")
        }
        return age.components.seconds * 1_000
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let doctor = Doctor(
            sources: try options.sources(environment), environment: environment, isThorough: thorough,
            longestBackupAge: try longestBackupAge())
        let report = try await doctor.report()
        if json {
            print(report.json)
        } else {
            for line in report.lines(on: .standard()) { print(line) }
        }
        guard report.exitCode == .success else { throw report.exitCode }
    }
}
