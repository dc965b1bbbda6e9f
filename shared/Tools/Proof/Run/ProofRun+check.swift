import AppClients
import ServiceKit

/// What has happened when the phones have ended.
struct PlayedRun: Sendable {
    let people: ProofPeople
    let diary: Diary
    let sandbox: SandboxClient
    let samples: [LedgerSample]
    let faults: [AppliedFault]
    let start: Moment
    let end: Moment

    var availability: Availability {
        let answers = diary.all.answers
        return Availability(of: answers, during: ProofCheck.spans(of: faults, answers))
    }
}

extension ProofRun {
    typealias Checked = (findings: [Finding], availability: Availability)

    /// Checks the promises. After an interruption the stack has a few seconds for it.
    ///
    /// - Returns: What was found; or nil, and why there was no check.
    /// - Throws: What prevents the check of a run that was not interrupted.
    func check(_ played: PlayedRun) async throws -> (Checked?, unchecked: String?) {
        let isInterrupted = Task.isCancelled
        report("\(played.diary.acts) acts; waiting until all is healthy")
        do {
            guard isInterrupted else { return (try await findings(played, settling: .seconds(120)), nil) }
            // The task is cancelled, and so would be what it calls.
            let check = Task {
                try await withTimeout(.seconds(5)) { try await system.waitUntilReady() }
                return try await withTimeout(.seconds(60)) { try await findings(played, settling: nil) }
            }
            return (try await check.value, nil)
        } catch  where isInterrupted || Task.isCancelled {
            return (nil, "not checked: interrupted")
        }
    }

    /// - Parameter settling: How long events that wait may take to arrive; nil if they have to be there in seconds, since
    ///   most promises cannot be checked before.
    private func findings(_ played: PlayedRun, settling: Duration?) async throws -> Checked {
        let diary = played.diary
        try await system.waitUntilReady()
        await system.comparePayments()
        let (waiting, tables) = try await system.withDatabase { database in
            let tables = ProofTables(database: database, now: { diary.now })
            let waiting = try await tables.settle(atMost: settling ?? .seconds(5))
            guard waiting.isEmpty || settling != nil else {
                throw ProofError("\(waiting.count) events are on their way")
            }
            report("reading what there is at the end")
            await played.people.finish()
            return (waiting, try await tables.all(of: diary, sandbox: played.sandbox))
        }
        report("checking the promises")
        return ProofCheck(
            pages: diary.all,
            tables: tables,
            samples: played.samples,
            faults: played.faults,
            waiting: waiting,
            end: played.end
        ).findings()
    }
}
