import CommandSupport
import Database
import Foundation
import GraphServices
import PostgreSQL
import RedisClient
import Timeline

/// Examines an installation: everything that a server needs, or will need. It changes nothing, except what SQLite does
/// when a database is opened for reading, and a small object that it stores in the bucket of the files and deletes.
struct Doctor {
    let sources: SettingSources
    let environment: [String: String]
    /// True if every page of the database is to be read.
    var isThorough = false
    /// Largest age of the last backup, in milliseconds.
    var longestBackupAge: Int64
    var now: @Sendable () -> Int64 = SystemClock.milliseconds

    func report() async throws -> DoctorReport {
        let settings = try await ConfigurationReport(sources)
        var findings = Self.settings(settings)
        guard let configuration = try? ServerConfiguration.load(sources) else { return DoctorReport(findings) }
        findings += certificate(configuration)
        let directory = DataDirectory(path: configuration.dataDirectory, server: configuration.database)
        let place = DirectoryCheck(directory)
        findings.append(place.finding)
        if let disk = DiskCheck(path: directory.path, reserve: Int64(configuration.diskReserve)) {
            findings.append(disk.finding)
        }
        let server = place.mayBeOpened ? ServingProcess(directory) : nil
        if place.mayBeOpened {
            findings += await database(directory)
            findings += BackupCheck(directory, now: now(), longestAge: longestBackupAge).findings
        }
        findings += await serving(configuration, server)
        findings.append(descriptors(configuration, server))
        findings += await redis(configuration, directory, isServed: server != nil)
        if let media = configuration.media { findings += await MediaCheck(media).findings }
        findings += await ProgramsCheck(
            path: environment["PATH"], needsRedisServer: configuration.redis == nil
        ).findings
        return DoctorReport(findings)
    }

    private static func settings(_ report: ConfigurationReport) -> [Finding] {
        guard report.problems.isEmpty else {
            return report.problems.map {
                Finding(
                    .settings, .failure, "No server starts with these settings: \($0)", remedy: "graphd config check")
            }
        }
        let given = report.entries.count { $0.origin != nil }
        let file = report.file.map { " (file: \($0))" } ?? ""
        return [Finding(.settings, .sound, "Settings given: \(given)\(file). The others have their defaults.")]
    }

    private func certificate(_ configuration: ServerConfiguration) -> [Finding] {
        guard let files = configuration.certificate, let certificate = try? ServerCertificate(files) else { return [] }
        return [CertificateCheck.finding(expiry: certificate.expiry, now: now())]
    }

    private func database(_ directory: DataDirectory) async -> [Finding] {
        if let server = directory.server { return await database(on: server) }
        do {
            return try await BlockingThread.run { [isThorough] in
                let file = try DatabaseFile(reading: directory.database)
                let mark = try file.clockMark(before: SystemClock.milliseconds())
                return try DatabaseCheck(directory, file, thorough: isThorough).findings + ClockCheck(mark).findings
            }
        } catch {
            return [DatabaseCheck.unreadable(error)]
        }
    }

    private func database(on server: DatabaseServer) async -> [Finding] {
        do {
            let examination = try await BlockingThread.run {
                try ServerExamination(
                    of: server.address, requiresStandby: server.requiresStandby, now: SystemClock.milliseconds())
            }
            return DatabaseServerCheck(server, examination).findings + ClockCheck(examination.clockMark).findings
        } catch {
            return [DatabaseServerCheck.unreachable(error)]
        }
    }

    private func serving(_ configuration: ServerConfiguration, _ server: ServingProcess?) async -> [Finding] {
        guard let server else { return ServerCheck.absent { try configuration.checkAddresses() } }
        return await ServerCheck(pid: server.pid, address: configuration.localAddress).findings
    }

    private func descriptors(_ configuration: ServerConfiguration, _ server: ServingProcess?) -> Finding {
        DescriptorCheck(
            limit: server?.mostFiles ?? DescriptorLimit.raise(), open: server?.openFiles, isOfServer: server != nil,
            connections: configuration.maxConnections, connectionsPerAddress: configuration.maxConnectionsPerAddress,
            shards: configuration.redisShards
        ).finding
    }

    /// A private Redis exists only while its server runs.
    private func redis(
        _ configuration: ServerConfiguration, _ directory: DataDirectory, isServed: Bool
    ) async -> [Finding] {
        let depth = WindowDepth(cap: configuration.windowCap)
        switch configuration.redis {
        case .servers(let servers):
            var findings: [Finding] = []
            for server in servers { findings += await RedisCheck(server, isPrivate: false, depth: depth).findings }
            return findings
        case .cluster(let cluster): return await RedisClusterCheck.findings(cluster, depth: depth)
        case nil: break
        }
        guard isServed else { return [] }
        var findings: [Finding] = []
        for socket in directory.redisSockets(shards: configuration.redisShards) {
            let own = RedisConfiguration(endpoint: .unix(path: socket))
            findings += await RedisCheck(own, isPrivate: true, depth: depth).findings
        }
        return findings
    }
}

extension ServerConfiguration {
    /// An address without TLS at which a server with these settings answers programs on this machine; nil if there is
    /// none.
    var localAddress: String? {
        if let adminAddress { return Self.url(adminAddress.host, adminAddress.port) }
        return certificate == nil ? Self.url(host, port) : nil
    }

    private static func url(_ host: String, _ port: Int) -> String {
        let reachable = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        return "http://" + (reachable.contains(":") ? "[\(reachable)]" : reachable) + ":\(port)"
    }
}
