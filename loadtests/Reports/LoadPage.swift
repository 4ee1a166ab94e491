import Foundation

/// A report as one self-contained page of HTML.
struct LoadPage {
    let report: LoadReport

    var html: String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
        <title>graphd under load, \(report.date.escaped)</title><style>\(Self.style)</style></head><body>
        <header><h1>graphd under load</h1>
        <p>\(report.date.escaped) · commit \(report.commit.escaped) · \(report.machine.escaped)
        · \(report.graphs.escaped)<br>
        <code>\(report.command.escaped)</code></p></header>
        \(verdict)
        \(comparisons)
        \(scheduled)
        \(growth)
        \(report.scenarios.map(section).joined(separator: "\n"))
        </body></html>

        """
    }

    private var verdict: String {
        let verified = report.verification
        let failures = report.failures.map { "<li class=\"missed\">\($0.escaped)</li>" }.joined()
        return """
            <section><h2>\(report.isRed ? "✗ Red" : "✓ Green")</h2><p>All timelines computed from SQLite after every
            measurement and compared with what Redis holds: <span class="\(verified.isClean ? "met" : "missed")">
            \(verified.summary)</span>.</p>\(failures.isEmpty ? "" : "<ul>\(failures)</ul>")</section>
            """
    }

    private var comparisons: String {
        guard !report.comparisons.isEmpty else { return "" }
        let rows = report.comparisons.map { row in
            let spread = "\(row.least.short) to \(row.most.short)"
            return """
                <tr class="\(row.isMet ? "met" : "missed")">
                <th>\(row.title.escaped)<small>\(row.key.escaped)</small></th>
                <td>\(row.ours.short)</td><td>\(row.theirs.short)</td><td>\(row.unit.escaped)</td>
                <td class="ratio">\(row.ratio.short)<small>\(spread)</small></td><td>\(row.target.escaped)</td>
                <td>\(row.isMet ? "✓ met" : "✗ missed")\(row.note.map { "<small>\($0.escaped)</small>" } ?? "")</td>
                </tr>
                """
        }.joined(separator: "\n")
        return """
            <section><h2>Ratios</h2>
            <p>Each is taken in pairs within this run: the median, and from the least to the most.
            \(report.comparisons.count { $0.isMet }) of \(report.comparisons.count) targets are met.</p>
            <table><thead><tr><th>What</th><th>graphd</th><th>against</th><th>unit</th><th>ratio</th><th>wanted</th>
            <th></th></tr></thead><tbody>\(rows)</tbody></table></section>
            """
    }

    private var scheduled: String {
        guard !report.scheduled.isEmpty else { return "" }
        let rows = report.scheduled.flatMap { ratio in
            ratio.runs.enumerated().map { number, run in
                """
                <tr class="\(run.isKeptUp ? "met" : "missed")"><th>\(ratio.key.escaped), run \(number + 1)\
                <small>\(ratio.perSecond.short) \(ratio.unit.escaped)/s, \(ratio.origin.rawValue), \
                \(ratio.arrivals.escaped)</small></th><td>\(run.count)</td><td>\(run.p50.short)</td>
                <td>\(run.p99.short)</td><td>\(run.slowest.short)</td><td>\(run.reference.short)</td>
                <td>\(run.isKeptUp ? "✓ kept up" : "✗ not kept up"): \((run.kept * 100).short) % met at most \
                \(ratio.allowed) unfinished<small>\(run.machine.escaped)</small></td></tr>
                """
            }
        }.joined(separator: "\n")
        return """
            <section><h2>Fixed rates</h2>
            <p>Latencies from the time at which a request was due. The lateness of a timer that does nothing else is the
            floor: pauses of the machine, not of graphd.</p>
            <table><thead><tr><th>Run</th><th>requests</th><th>p50 ms</th><th>p99</th><th>slowest</th><th>against</th>
            <th></th></tr></thead><tbody>\(rows)</tbody></table></section>
            """
    }

    private var growth: String {
        guard !report.growth.isEmpty else { return "" }
        let plots = report.growth.map { growth in
            Plot(
                title: growth.title, xTitle: "users", yTitle: growth.unit,
                lines: [.init(name: growth.title, points: growth.points.map { ($0[0], $0[1]) })]
            ).svg
        }
        return "<section><h2>Cost against size</h2><div class=\"plots\">\(figures(plots))</div></section>"
    }

    private func section(_ scenario: ScenarioReport) -> String {
        let verified = scenario.verification
        let verdict =
            verified.isClean
            ? "<span class=\"met\">0 missing, 0 extra, 0 misordered</span>"
            : "<span class=\"missed\">\(verified.missing) missing, \(verified.extra) extra, "
                + "\(verified.misordered) misordered</span>"
        return """
            <section><h2>\(scenario.name.escaped)</h2><p>\(scenario.title.escaped).</p>
            <p>\(Double(scenario.users).short) users, \(Double(scenario.follows).short) follows, \
            \(Double(scenario.posts).short) posts\(scenario.capacity.map { ", at most \($0.short) requests/s" } ?? "").
            Verified afterwards: \(verdict) in \(Double(verified.entries).short) entries of \
            \(Double(verified.timelines).short) timelines. graphd \
            \(scenario.residentBytes.mebibytes.short) MiB, Redis \
            \(scenario.redisBytes.map { $0.mebibytes.short + " MiB" } ?? "not its own").</p>
            \(table(scenario))<div class="plots">\(figures(plots(scenario)))</div></section>
            """
    }

    private func table(_ scenario: ScenarioReport) -> String {
        let rows = scenario.runs.enumerated().map { number, run in
            let kinds = run.kinds.sorted { $0.key < $1.key }.map { (name: $0.key, latency: $0.value) }
            let cells = ([(name: "all", latency: run.all)] + kinds).map { kind in
                """
                <tr><th>\(kind.name == "all" ? "run \(number + 1)" : "<small>\(kind.name.escaped)</small>")</th>
                <td>\(Double(kind.latency.count).short)</td><td>\(kind.latency.p50.short)</td>
                <td>\(kind.latency.p90.short)</td><td>\(kind.latency.p99.short)</td><td>\(kind.latency.p999.short)</td>
                <td>\(kind.latency.max.short)</td>
                <td>\(kind.name == "all" ? remarks(run) : "")</td></tr>
                """
            }
            return cells.joined(separator: "\n")
        }.joined(separator: "\n")
        return """
            <table><thead><tr><th></th><th>answers</th><th>p50 ms</th><th>p90</th><th>p99</th><th>p99.9</th><th>max</th>
            <th></th></tr></thead><tbody>\(rows)</tbody></table>
            """
    }

    private func remarks(_ run: ScenarioReport.Run) -> String {
        var remarks = ["\(run.answered.short)/s"]
        if run.failed > 0 { remarks.append("\(run.failed) failed") }
        remarks.append("generator \(run.generatorShare.short), graphd \(run.serverShare.short) of a processor")
        return remarks.joined(separator: ", ")
    }

    private func plots(_ scenario: ScenarioReport) -> [String] {
        guard let run = scenario.runs.last else { return [] }
        // Percentiles are drawn by their number of nines, like HdrHistogram's plots.
        let nines: [(Double, String)] = [
            (50, "50 %"), (90, "90 %"), (99, "99 %"), (99.9, "99.9 %"), (99.99, "99.99 %"),
        ]
        func place(_ percentile: Double) -> Double { -log10(max(1 - percentile / 100, 1e-5)) }
        let kinds = run.kinds.sorted { $0.key < $1.key }.filter { $0.value.count > 0 }
        return [
            Plot(
                title: "Latency by percentile", xTitle: "percentile", yTitle: "ms", yScale: .logarithmic,
                ticks: nines.map { (place($0.0), $0.1) },
                lines: kinds.map { kind in
                    Plot.Line(name: kind.key, points: kind.value.curve.map { (place($0[0]), $0[1]) })
                }
            ).svg,
            Plot(
                title: "Throughput", xTitle: "seconds", yTitle: "answers/s",
                lines: scenario.runs.enumerated().map { number, run in
                    Plot.Line(
                        name: "run \(number + 1)",
                        points: run.seconds.enumerated().map { (Double($0), Double($1.answered)) })
                }
            ).svg,
            Plot(
                title: "Slowest answer of each second", xTitle: "seconds", yTitle: "ms", yScale: .logarithmic,
                lines: [
                    Plot.Line(
                        name: "slowest", points: run.seconds.enumerated().map { (Double($0), $1.slowest) })
                ]
            ).svg,
            Plot(
                title: "Jobs in the outbox", xTitle: "seconds", yTitle: "jobs",
                lines: [Plot.Line(name: "pending", points: run.samples.map { ($0.at, Double($0.pending)) })]
            ).svg,
            Plot(
                title: "Resident memory of graphd", xTitle: "seconds", yTitle: "MiB",
                lines: [
                    Plot.Line(name: "all", points: run.samples.map { ($0.at, $0.residentBytes.mebibytes) }),
                    Plot.Line(name: "pages of files", points: run.samples.map { ($0.at, $0.mappedBytes.mebibytes) }),
                ]
            ).svg,
        ]
    }

    private func figures(_ plots: [String]) -> String {
        plots.filter { !$0.isEmpty }.map { "<figure>\($0)</figure>" }.joined(separator: "\n")
    }

    private static let style = """
        :root { color-scheme: light dark; --ink: #1c2430; --dim: #66707f; --rule: #e2e6ec; --ground: #fbfcfd;
          --card: #fff; --met: #12805c; --missed: #b3261e; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --dim: #98a3b3; --rule: #2b333f;
          --ground: #12161c; --card: #1a2028; --met: #4cc79a; --missed: #ff8a80; } }
        body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); margin: 0 auto;
          max-width: 1180px; padding: 24px; }
        h1 { font-size: 28px; margin: 0 } h2 { font-size: 20px; margin: 0 0 4px }
        header p, section > p { color: var(--dim); margin: 4px 0 12px }
        section { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: 18px 20px;
          margin: 18px 0; overflow-x: auto }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100% }
        th, td { text-align: right; padding: 5px 10px; border-bottom: 1px solid var(--rule); white-space: nowrap }
        th:first-child, td:last-child { text-align: left; white-space: normal } thead th { color: var(--dim);
          font-weight: 500 }
        tbody th { font-weight: 600 } small { display: block; color: var(--dim); font-weight: 400 }
        .ratio { font-weight: 700 } .met td:last-child, span.met { color: var(--met) }
        .missed td:last-child, span.missed { color: var(--missed) }
        .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(420px, 1fr)); gap: 14px;
          margin-top: 14px }
        figure { margin: 0 } svg { width: 100%; height: auto; display: block }
        svg text { fill: var(--dim); font: 11px system-ui, sans-serif } svg .title { fill: var(--ink);
          font-weight: 600; font-size: 13px }
        .grid { stroke: var(--rule) } .line { fill: none; stroke-width: 2; stroke-linejoin: round }
        polyline.c0 { stroke: #3b74d9 } polyline.c1 { stroke: #d9730d } polyline.c2 { stroke: #12805c }
        polyline.c3 { stroke: #a13bb5 } polyline.c4 { stroke: #b3261e } polyline.c5 { stroke: #66707f }
        .legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 14px; padding: 0; margin: 2px 0 0 56px;
          font-size: 12px }
        .legend li::before { content: "━ " } li.c0::before { color: #3b74d9 } li.c1::before { color: #d9730d }
        li.c2::before { color: #12805c } li.c3::before { color: #a13bb5 } li.c4::before { color: #b3261e }
        li.c5::before { color: #66707f }
        """
}
