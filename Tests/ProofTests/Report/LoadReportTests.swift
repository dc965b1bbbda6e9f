import Testing

@testable import Proof

struct LoadReportTests {
    /// A report of windows of 5 s on a machine that serves a number of people.
    private static func report(_ limit: Int, most: Int, isFixed: Bool = false, windows: Int = 60) throws -> LoadReport {
        let thresholds = try Thresholds.standard()
        var (control, all) = (LoadControl(most: most, isFixed: isFixed, windows: windows), [LoadWindow]())
        for number in 0..<windows {
            var acts = LoadWindow.Acts()
            let isLate = control.people > limit
            acts.latencies = Latencies(Array(repeating: isLate ? 800 : 20, count: control.people))
            acts.late = isLate ? control.people : 0
            var window = LoadWindow(
                begun: .seconds(Double(number) * 5),
                ended: .seconds(Double(number + 1) * 5),
                people: control.people,
                acts: [.sendMessage: acts]
            )
            window.processors = [
                "chat": 2, "PostgreSQL for chat": 1, "gateway": 1, "PostgreSQL": 0.5, "sandbox": 3,
                ProgramMeter.generator: 2,
            ]
            window.breaches = window.breaches(of: thresholds)
            (window.isSettling, window.isHeld) = (control.isSettling, control.phase == .holding)
            all.append(window)
            control.take(breaches: window.breaches.map(\.sentence), use: window.use(of: thresholds))
        }
        return LoadReport(
            seed: 7,
            length: .seconds(5 * windows),
            signedUp: most,
            isFixed: isFixed,
            start: .seconds(0),
            windows: all,
            control: control,
            thresholds: thresholds,
            isInterrupted: false
        )
    }

    @Test func foundNumber_isSaid_withWhatBroke() throws {
        let report = try Self.report(100, most: 500)
        #expect(report.isGood && (94...100).contains(report.people))
        #expect(report.verdict.hasPrefix("\(report.people) people were served within every threshold, in "))
        #expect(report.verdict.contains("p99 of \"send a message\" was "), "\(report.verdict)")
        // 4.5 seconds of 5 are the system's own.
        #expect(abs(report.processorsUsed - 0.9) < 1e-9)
        let (machine, used) = report.peoplePerProcessor(of: 2)
        #expect(machine == Double(report.people) / 2 && abs(used - Double(report.people) / 0.9) < 1e-6)
        let text = report.text(cores: 2).joined(separator: "\n")
        #expect(text.contains("send a message") && text.contains("chat 0.400") && text.contains("People per vCPU"))
    }

    @Test func limitThatWasNotReached_isNotClaimed() throws {
        let all = try Self.report(10_000, most: 100)
        #expect(all.people == 100 && all.verdict.contains("as many as signed up"))
        let short = try Self.report(10_000, most: 2000, windows: 12)
        #expect(short.people < 2000 && short.verdict.contains("did not suffice"), "\(short.verdict)")
    }

    @Test func fixedNumber_saysWhatBroke() throws {
        let good = try Self.report(300, most: 200, isFixed: true)
        #expect(good.isGood && good.verdict == "200 people were served within every threshold.")
        let bad = try Self.report(100, most: 200, isFixed: true)
        #expect(!bad.isGood && bad.verdict.hasPrefix("200 people are too many: p99 of \"send a message\""))
    }

    @Test func interruptedRun_isReported_alsoWithoutWindows() throws {
        var report = try Self.report(100, most: 500, windows: 6)
        report.isInterrupted = true
        #expect(report.verdict.hasPrefix("Interrupted: "))
        report.windows = []
        report.control = LoadControl(most: 500, windows: 60)
        #expect(!report.isGood && LoadPage(report, .tests).html.contains("no number of people was found"))
    }

    @Test func page_isWhole_andNeedsNothingElse() throws {
        let page = LoadPage(try Self.report(100, most: 500), .tests).html
        for part in ["<svg", "send a message, ms", "Processors used, by program", "Some CPU, 2 cores", "commit abc"] {
            #expect(page.contains(part), "\(part)")
        }
        #expect(page.contains("stack load --report &#60;x&#62;.html") && !page.contains("<x>"))
        #expect(!page.contains("<script") && !page.contains("http") && !page.contains("nan"))
        #expect(page.split(separator: "<svg").count == page.split(separator: "</svg>").count)
    }
}
