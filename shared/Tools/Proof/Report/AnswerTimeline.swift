/// The requests of a proof over time, with its faults.
struct AnswerTimeline {
    /// Seconds of a point.
    private static let step = 5.0

    let seconds: Double
    private let bands: [Plot.Band]
    private var answered: [Int]
    private var lost: [Int]
    private var latencies: [Latencies]
    private let begin: Moment

    init(_ report: ProofReport) {
        (seconds, begin) = (max(1, report.length / .seconds(1)), report.start)
        let count = Int((seconds / Self.step).rounded(.up))
        (answered, lost) = (Array(repeating: 0, count: count), Array(repeating: 0, count: count))
        latencies = Array(repeating: Latencies(), count: count)
        bands = report.faults.filter { $0.state != .skipped }.map { fault in
            Plot.Band(from: Self.second(fault.begun, of: report), to: Self.second(fault.ended, of: report))
        }
        for answer in report.answers {
            let index = Int((Self.second(answer.begun, of: report) / Self.step).rounded(.down))
            guard latencies.indices.contains(index) else { continue }
            guard answer.isAnswered else {
                lost[index] += 1
                continue
            }
            answered[index] += 1
            latencies[index].add(Double(answer.ended.microseconds - answer.begun.microseconds) / 1000)
        }
    }

    static func second(_ moment: Moment, of report: ProofReport) -> Double {
        Double(moment.microseconds - report.start.microseconds) / 1e6
    }

    func band(_ fault: AppliedFault) -> Plot.Band {
        func second(_ moment: Moment) -> Double { Double(moment.microseconds - begin.microseconds) / 1e6 }
        return Plot.Band(from: second(fault.begun), to: second(fault.ended))
    }

    var answers: Plot {
        Plot(
            title: "Requests in 5 s: answered, and without an answer",
            seconds: seconds,
            series: [
                Plot.Series(name: "answered", tone: 2, points: points(answered.map(Double.init))),
                Plot.Series(name: "without an answer", tone: 6, points: points(lost.map(Double.init))),
            ],
            form: .stackedAreas,
            bands: bands
        )
    }

    var latency: Plot {
        func quantiles(_ share: Double) -> [(second: Double, value: Double)] {
            latencies.indices.compactMap { index in
                latencies[index].quantile(share).map { (middle(index), $0) }
            }
        }
        return Plot(
            title: "Time to the answer in 5 s, ms",
            seconds: seconds,
            series: [
                Plot.Series(name: "p50", tone: 0, points: quantiles(0.5)),
                Plot.Series(name: "p99", tone: 1, points: quantiles(0.99)),
            ],
            bands: bands,
            isLogarithmic: true
        )
    }

    private func middle(_ index: Int) -> Double { min((Double(index) + 0.5) * Self.step, seconds) }

    private func points(_ values: [Double]) -> [(second: Double, value: Double)] {
        values.indices.map { (middle($0), values[$0]) }
    }
}
