import AppClients
import StackKit

/// People of all apps use a stack, as many as it serves within the thresholds.
package struct LoadRun: Sendable {
    package struct Settings: Sendable {
        package var seed: UInt64
        /// From the first act.
        package var length: Duration
        /// The most people.
        package var people: Int
        /// Whether all of them are active from the beginning.
        package var isFixed: Bool
        /// The part of the found number that is held.
        package var share: Double
        package var thresholds: Thresholds
        package var habits: Habits

        package init(
            seed: UInt64,
            length: Duration,
            people: Int,
            isFixed: Bool,
            share: Double = 1,
            thresholds: Thresholds,
            habits: Habits
        ) {
            (self.seed, self.length, self.people, self.isFixed) = (seed, length, people, isFixed)
            (self.share, self.thresholds, self.habits) = (share, thresholds, habits)
        }
    }

    private let stack: ProofStack
    private let settings: Settings
    private let report: @Sendable (String) -> Void

    /// - Parameter report: Is called with what happens, a line each.
    package init(_ stack: ProofStack, _ settings: Settings, report: @escaping @Sendable (String) -> Void) {
        (self.stack, self.settings, self.report) = (stack, settings, report)
    }

    /// Of the stack: people who wait for their turn would lose their sessions otherwise, as their apps do not run.
    package static let stackSettings = ["AUTH_ACCESS_TTL": "86400"]

    /// The length of a window: long enough for a p99, and short enough for sixty in a run.
    static func window(of length: Duration) -> Duration { min(.seconds(5), max(.seconds(1), length / 60)) }

    /// Starts the stack, finds the number, holds it, and removes the stack. When the task is cancelled after the first act,
    /// what was measured until then is returned.
    package func run() async throws -> LoadReport {
        try OpenFiles.allow(UInt(LoadNeeds(people: settings.people).files))
        return try await stack.whileUp(report: report) { try await play() }
    }

    private func play() async throws -> LoadReport {
        let diary = Diary()
        let city = City(
            gateways: try stack.gateways,
            auths: { [stack] in (try? stack.auths) ?? [] },
            sandbox: try stack.sandbox,
            diary: diary,
            habits: settings.habits
        )
        let progress = Tenths(of: settings.people)
        let people = try await LoadPeople.signUp(settings.people, in: city) { count in
            if progress.isNew(count) { report("\(count) of \(settings.people) people signed up") }
        }
        let record = LoadRecord(settings.thresholds) { diary.now }
        let crowd = LoadCrowd(people, habits: settings.habits, record: record, seed: settings.seed)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await crowd.run() }
            defer { group.cancelAll() }
            return try await steer(crowd, record, people: people.count)
        }
    }

    /// Changes the number of people after each window, as the control decides.
    private func steer(_ crowd: LoadCrowd, _ record: LoadRecord, people: Int) async throws -> LoadReport {
        let length = Self.window(of: settings.length)
        let count = max(1, Int((settings.length / length).rounded()))
        var control = LoadControl(
            most: people,
            isFixed: settings.isFixed,
            share: settings.share,
            windows: count
        )
        let windowsOfMinute = max(1, Int((.seconds(60) / length).rounded()))
        var (meter, windows) = (try ProgramMeter(stack), [LoadWindow]())
        let start = record.now
        _ = meter.read()
        crowd.set(control.people)
        for number in 1...count {
            let end = start.after(Int64(length / .microseconds(1)) * Int64(number))
            let wait = end.microseconds - record.now.microseconds
            if wait > 0 { try? await Task.sleep(for: .microseconds(wait)) }
            if Task.isCancelled { break }
            var window = record.window(of: control.people)
            window.processors = meter.read()
            if number.isMultiple(of: windowsOfMinute) { window.memory = meter.memory }
            window.breaches = window.breaches(of: settings.thresholds)
            (window.isSettling, window.isHeld) = (control.isSettling, control.phase == .holding)
            windows.append(window)
            control.take(breaches: window.breaches.map(\.sentence), use: window.use(of: settings.thresholds))
            // Every ten seconds.
            if Int(length / .seconds(1)) * number % 10 == 0 { report(Self.line(window, since: start)) }
            if control.people != window.people { crowd.set(control.people) }
        }
        return LoadReport(
            seed: settings.seed,
            length: settings.length,
            signedUp: people,
            isFixed: settings.isFixed,
            start: start,
            windows: windows,
            control: control,
            thresholds: settings.thresholds,
            isInterrupted: Task.isCancelled
        )
    }

    private static func line(_ window: LoadWindow, since start: Moment) -> String {
        let seconds = (window.ended.microseconds - start.microseconds + 500_000) / 1_000_000
        let rate = Int((Double(window.total.count) / max(window.seconds, 0.001)).rounded())
        let state = window.breaches.first?.sentence ?? "every threshold holds"
        return "\(seconds) s: \(window.people) people\(window.isHeld ? ", held" : ""), \(rate) acts/s, \(state)"
    }
}
