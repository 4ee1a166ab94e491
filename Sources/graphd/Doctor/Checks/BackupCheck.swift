import Backup
import CommandSupport
import Database

/// The age and the place of the last backup.
struct BackupCheck: Equatable {
    /// Nil if no backup was ever made.
    let last: LastBackup?
    /// True if the last backup is on the disk of the data directory; nil if it is no longer where it was written.
    let isOnSameDisk: Bool?
    /// Milliseconds since 1970.
    let now: Int64
    /// Largest age in milliseconds.
    let longestAge: Int64

    var findings: [Finding] {
        guard let last else {
            return [
                Finding(
                    .backup, .warning, "No backup of this data directory was ever made.",
                    remedy: "Make one every night: graphd backup DEST (docs/operations/backup.md).")
            ]
        }
        let age = now - last.instant
        var findings: [Finding] = []
        if age > longestAge {
            findings.append(
                Finding(
                    .backup, .warning,
                    "The last backup is \(AgeText.text(age)) old (\(last.destination)); it should be at most "
                        + "\(AgeText.text(longestAge)) old.", remedy: "Make one: graphd backup DEST"))
        }
        if isOnSameDisk == true {
            findings.append(
                Finding(
                    .backup, .warning,
                    "The last backup, \(last.destination), is on the disk of the data directory and would be lost with "
                        + "it.", remedy: "Write backups to another disk, or copy them to another machine."))
        }
        guard findings.isEmpty else { return findings }
        let place = isOnSameDisk == nil ? "was written to \(last.destination), where it no longer is" : last.destination
        return [Finding(.backup, .sound, "The last backup is \(AgeText.text(age)) old: \(place).")]
    }
}

extension BackupCheck {
    init(_ directory: DataDirectory, now: Int64, longestAge: Int64) {
        let last = LastBackup.load(from: directory)
        let place = last.flatMap { FileStatus($0.destination)?.device }
        self.init(
            last: last, isOnSameDisk: place.map { $0 == FileStatus(directory.path)?.device }, now: now,
            longestAge: longestAge)
    }
}
