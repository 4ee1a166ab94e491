import Foundation

/// The counts of a server and its Redis up to one moment.
struct FanoutSnapshot {
    let time = ContinuousClock.now
    let redis: RedisInfo
    let graphdCPU: Double
    let redisCPU: Double
    let deliveries: Double

    init(_ server: Server) async throws {
        redis = try server.redis()
        graphdCPU = try server.usage().cpuSeconds
        redisCPU = try ProcessUsage(of: redis.process).cpuSeconds
        deliveries = try await server.client.metricValues()["graphd_deliveries_total"] ?? 0
    }
}

/// The cost of one run.
struct FanoutResult {
    static let columns = [
        "deliveries", "redisCommands", "scriptCalls", "redisInMB", "redisOutMB", "graphdCPU_s", "redisCPU_s",
        "totalCPU_s", "totalCPURange", "seconds", "pageP50_ms", "pageP99_ms", "postP50_ms", "postP99_ms",
    ]

    private let values: [Double]
    private let totalCPU: Double

    init(_ before: FanoutSnapshot, _ after: FanoutSnapshot, pages: Spread, posts: Spread) {
        let commands = after.redis.commands(since: before.redis)
        let graphd = after.graphdCPU - before.graphdCPU
        let redis = after.redisCPU - before.redisCPU
        totalCPU = graphd + redis
        values = [
            after.deliveries - before.deliveries, Double(commands.all), Double(commands.scripts),
            Double(after.redis.bytesIn - before.redis.bytesIn) / 1_000_000,
            Double(after.redis.bytesOut - before.redis.bytesOut) / 1_000_000,
            graphd, redis, totalCPU, before.time.duration(to: after.time) / .seconds(1),
            pages.median, pages.quantile(0.99), posts.median, posts.quantile(0.99),
        ]
    }

    var summary: String {
        zip(Self.columns.filter { $0 != "totalCPURange" }, values).map { name, value in
            "\(name) \(String(format: "%.2f", value))"
        }.joined(separator: ", ")
    }

    /// Returns medians in the order of ``columns``.
    static func medians(_ results: [FanoutResult]) -> [FigureTable.Cell] {
        var total = Spread()
        for result in results { total.add(result.totalCPU) }
        var cells = (results.first?.values.indices ?? 0..<0).map { column in
            var spread = Spread()
            for result in results { spread.add(result.values[column]) }
            return FigureTable.Cell.decimal(spread.median, column < 3 ? 0 : 2)
        }
        cells.insert(.text(total.range(2)), at: columns.firstIndex(of: "totalCPURange") ?? 0)
        return cells
    }
}
