import AppClients
import StackKit

/// People use a stack while everything fails; then the promises are checked.
package struct ProofRun: Sendable {
    package struct Settings: Sendable {
        package var seed: UInt64
        package var length: Duration
        package var phones: Int
        package var habits: Habits
        /// Made of the seed without it.
        package var plan: FaultPlan?

        package init(seed: UInt64, length: Duration, phones: Int, habits: Habits, plan: FaultPlan? = nil) {
            (self.seed, self.length, self.phones, self.habits, self.plan) = (seed, length, phones, habits, plan)
        }
    }

    let system: any ProofSystem
    private let settings: Settings
    let report: @Sendable (String) -> Void

    /// - Parameter report: Is called with what happens, a line each.
    package init(_ system: any ProofSystem, _ settings: Settings, report: @escaping @Sendable (String) -> Void) {
        (self.system, self.settings, self.report) = (system, settings, report)
    }

    /// Starts the stack, plays, checks, and removes the stack; its logs are kept if a promise was not. When the task is
    /// cancelled while people play, the report is of what they did until then.
    package func run() async throws -> ProofReport {
        try await system.whileUp(report: report) {
            let result = try await play()
            if !result.isKept, let kept = try? system.keepLogs() { report("the logs of all programs are in \(kept)") }
            return result
        }
    }

    private func play() async throws -> ProofReport {
        let diary = Diary()
        let city = City(
            gateways: try system.gateways,
            auths: { [system] in (try? system.auths) ?? [] },
            sandbox: try system.sandbox,
            diary: diary,
            habits: settings.habits
        )
        let people = try await ProofPeople.signUp(settings.phones, in: city, report: tenths)
        let faulty = try system.faulty
        let (rules, offer) = (try FaultRules.standard(), await faulty.offer())
        for kind in offer.leftOut { report("without \"\(rules.title(of: kind.kind))\": \(kind.sentence)") }
        let plan =
            settings.plan ?? .make(seed: settings.seed, length: settings.length, offer: offer, rules: rules)
        let start = diary.now
        let end = start.after(Int64(settings.length / .microseconds(1)))
        report("\(people.count) phones, \(plan.faults.count) faults in \(settings.length)")
        let injector = FaultInjector(faulty, rules: rules) {
            Moment(microseconds: diary.now.microseconds - start.microseconds)
        }
        async let faults = injector.run(plan)
        async let samples = Self.sample(system, until: end, diary)
        let progress = Task { await reportActs(diary, from: start, until: end) }
        await people.play(until: end, seed: settings.seed)
        progress.cancel()
        let ended = min(end, diary.now)
        let played = PlayedRun(
            people: people,
            diary: diary,
            sandbox: city.sandbox,
            samples: await samples,
            faults: await faults.map { $0.shifted(by: start.microseconds) },
            start: start,
            end: ended
        )
        let (checked, unchecked) = try await check(played)
        return ProofReport(
            seed: settings.seed,
            length: .microseconds(played.end.microseconds - start.microseconds),
            phones: people.count,
            acts: diary.acts,
            faults: played.faults,
            start: start,
            answers: diary.all.answers,
            findings: checked?.findings ?? [],
            availability: checked?.availability ?? played.availability,
            rules: rules,
            unchecked: unchecked
        )
    }

    /// Reports when another tenth of the phones has signed in.
    private var tenths: @Sendable (Int) -> Void {
        let tenths = Tenths(of: settings.phones)
        return { [settings, report] count in
            if tenths.isNew(count) { report("\(count) of \(settings.phones) phones signed in") }
        }
    }

    private func reportActs(_ diary: Diary, from start: Moment, until end: Moment) async {
        while diary.now < end {
            guard (try? await Task.sleep(for: .seconds(10))) != nil else { return }
            let seconds = (diary.now.microseconds - start.microseconds) / 1_000_000
            report("\(seconds) s: \(diary.acts) acts")
        }
    }

    /// Samples of the ledger, one each second while the database answers.
    private static func sample(_ system: any ProofSystem, until end: Moment, _ diary: Diary) async -> [LedgerSample] {
        var samples: [LedgerSample] = []
        while diary.now < end, !Task.isCancelled {
            let taken = try? await system.withDatabase { database in
                try await ProofTables(database: database, now: { diary.now }).ledger()
            }
            if let taken { samples.append(taken) }
            try? await Task.sleep(for: .seconds(1))
        }
        return samples
    }
}

extension AppliedFault {
    /// The fault by the clock of the diary.
    fileprivate func shifted(by microseconds: Int64) -> AppliedFault {
        var fault = self
        (fault.begun, fault.ended) = (begun.after(microseconds), ended.after(microseconds))
        return fault
    }
}
