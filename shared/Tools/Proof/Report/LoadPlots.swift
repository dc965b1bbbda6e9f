import Values

/// The plots of a load.
struct LoadPlots {
    private let report: LoadReport

    init(_ report: LoadReport) { self.report = report }

    private func second(_ moment: Moment) -> Double {
        Double(moment.microseconds - report.start.microseconds) / 1e6
    }

    private var seconds: Double { max(1, report.windows.last.map { second($0.ended) } ?? 1) }

    /// A value of each window at its middle; windows without one are left out.
    private func points(_ value: (LoadWindow) -> Double?) -> [(second: Double, value: Double)] {
        report.windows.compactMap { window in
            value(window).map { ((second(window.begun) + second(window.ended)) / 2, $0) }
        }
    }

    /// The windows in which the number was held.
    private var held: [Plot.Band] {
        guard let first = report.windows.first(where: \.isHeld) else { return [] }
        return [Plot.Band(from: second(first.begun), to: seconds)]
    }

    /// People, acts, errors and processors.
    var overview: String {
        let people = points { Double($0.people) }
        let rate = points { Double($0.total.count) / max($0.seconds, 0.001) }
        let errors = points { window in
            let total = window.total
            return total.count > 0 ? Double(total.errors) / Double(total.count) * 100 : 0
        }
        return ReportPage.plots([
            plot("Active people; shaded: held", [Plot.Series(name: "people", tone: 0, points: people)]),
            plot("Acts per second", [Plot.Series(name: "acts", tone: 2, points: rate)]),
            plot(
                "Acts that failed, %",
                [Plot.Series(name: "failed", tone: 6, points: errors)],
                limit: report.thresholds.errors * 100
            ),
            processors.figure,
        ])
    }

    private func plot(_ title: String, _ series: [Plot.Series], limit: Double? = nil) -> String {
        Plot(title: title, seconds: seconds, series: series, limit: limit, bands: held).figure
    }

    /// A small plot for each kind of act.
    var kinds: String {
        ReportPage.plots(
            report.kinds.map { kind in
                func quantiles(_ share: Double) -> [(second: Double, value: Double)] {
                    points { $0.acts[kind]?.latencies.quantile(share) }
                }
                let threshold = report.thresholds[kind]
                return Plot(
                    title: "\(threshold.title), ms",
                    seconds: seconds,
                    series: [
                        Plot.Series(name: "p50", tone: 0, points: quantiles(0.5)),
                        Plot.Series(name: "p99", tone: 1, points: quantiles(0.99)),
                    ],
                    limit: threshold.p99,
                    bands: held,
                    isLogarithmic: true
                ).figure
            }
        )
    }

    /// The processors that programs use, the largest ones by themselves.
    private var processors: Plot {
        let times = report.windows.map { ProgramMeter.withOneDatabase($0.processors) }
        let sums = times.reduce(into: [String: Double]()) { $0.merge($1, uniquingKeysWith: +) }
        let names = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        let (large, small) = (names.prefix(ReportPage.toneCount - 1), names.dropFirst(ReportPage.toneCount - 1))
        func series(_ name: String, _ tone: Int, _ programs: [String]) -> Plot.Series {
            Plot.Series(
                name: name,
                tone: tone,
                points: points { window in
                    let times = ProgramMeter.withOneDatabase(window.processors)
                    return programs.reduce(0) { $0 + (times[$1] ?? 0) } / max(window.seconds, 0.001)
                }
            )
        }
        let all = large.enumerated().map { series($1, $0, [$1]) }
        let rest = small.isEmpty ? [] : [series("others", ReportPage.toneCount - 1, Array(small))]
        return Plot(
            title: "Processors used, by program",
            seconds: seconds,
            series: all + rest,
            form: .stackedAreas,
            bands: held
        )
    }
}
