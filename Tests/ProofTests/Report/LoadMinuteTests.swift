import Testing

@testable import Proof

struct LoadMinuteTests {
    private static func window(_ second: Int, people: Int = 50, latency: Double = 20, memory: Int? = nil) -> LoadWindow
    {
        var acts = LoadWindow.Acts()
        acts.latencies = Latencies(Array(repeating: latency, count: 10))
        var window = LoadWindow(
            begun: .seconds(Double(second)),
            ended: .seconds(Double(second + 5)),
            people: people,
            acts: [.sendMessage: acts]
        )
        window.isHeld = true
        window.memory = memory.map { ["chat": $0] } ?? [:]
        return window
    }

    @Test func windows_areGroupedByTheMinute() {
        let windows = [Self.window(50), Self.window(55, memory: 7), Self.window(60), Self.window(65, memory: 9)]
        let minutes = LoadMinute.minutes(of: windows, since: .seconds(0))
        #expect(minutes.map(\.number) == [0, 1] && minutes.map(\.acts.count) == [20, 20])
        #expect(minutes.map(\.seconds) == [10, 10] && minutes.map(\.totalMemory) == [7, 9])
        let other = LoadMinute.minutes(of: [Self.window(60), Self.window(65, people: 45)], since: .seconds(0))
        #expect(other.map(\.people) == [50, 45])
    }

    @Test func trend_isTheSlopeOfTheLine() throws {
        let trend = try #require(MinuteTrend((5..<26).map { ($0, 100 + Double($0 - 15)) }))
        #expect(abs(trend.perHour - 60) < 1e-9 && abs(trend.share - 0.2) < 1e-9)
        let flat = try #require(MinuteTrend((0..<60).map { ($0, $0.isMultiple(of: 2) ? 99 : 101) }))
        #expect(abs(flat.share) < 0.005)
    }

    @Test func fewMinutes_haveNoTrend() {
        #expect(MinuteTrend((0..<9).map { ($0, 1) }) == nil && MinuteTrend((0..<20).map { ($0, 0) }) == nil)
        #expect(MinuteTrend([]) == nil)
    }

    private func report(minutes: Int, memory: (Int) -> Int, latency: (Int) -> Double) throws -> LoadReport {
        var control = LoadControl(most: 100, share: 0.5, windows: 5)
        for _ in 0..<10 { control.take(breaches: [], use: 0) }
        return LoadReport(
            seed: 1,
            length: .seconds(60 * minutes),
            signedUp: 100,
            isFixed: false,
            start: .seconds(0),
            windows: (0..<minutes).map {
                Self.window($0 * 60, people: control.people, latency: latency($0), memory: memory($0))
            },
            control: control,
            thresholds: try .standard(),
            isInterrupted: false
        )
    }

    @Test func flatRun_isSaidToBeFlat() throws {
        let report = try report(minutes: 40, memory: { _ in 50 << 20 }, latency: { _ in 20 })
        #expect(report.verdict.hasSuffix("windows; neither memory nor p99 grew."), "\(report.verdict)")
        #expect(report.minutes.count == 39)
        let text = report.text(cores: 2).joined(separator: "\n")
        #expect(text.contains("memory MB") && text.contains("chat 50.0 → 50.0"), "\(text)")
    }

    @Test func whatGrows_isNamed() throws {
        let leak = try report(minutes: 40, memory: { (50 + $0) << 20 }, latency: { _ in 20 })
        #expect(leak.verdict.hasSuffix("windows; memory grew."), "\(leak.verdict)")
        #expect(leak.text(cores: 2).contains { $0.hasPrefix("Memory: 60.0 MB more in an hour") })
        let slow = try report(minutes: 40, memory: { _ in 50 << 20 }, latency: { 20 + Double($0) })
        #expect(slow.verdict.hasSuffix("windows; p99 grew."), "\(slow.verdict)")
        let short = try report(minutes: 5, memory: { _ in 1 }, latency: { _ in 20 })
        #expect(short.verdict.contains("too few minutes"))
    }
}
