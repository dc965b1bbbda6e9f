import PostgresServer
import TestKit
import Values

/// Runs all rounds while copies and PostgreSQL are killed and PortOne fails.
struct RoundsRun: Sendable {
    let plan: RoundsPlan
    let service: RoundsService
    let record: RoundsRecord

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await service.harness.crashInTurn(["first", nil, "second"], pause: plan.pause, seed: plan.seed)
            }
            group.addTask { try await failPortOne() }
            group.addTask { await reportProgress() }
            await withTaskGroup { rounds in
                for _ in 0..<plan.atOnce { rounds.addTask { await play() } }
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        _ = try await service.control("faults", #"{"provider":"portone","kind":"timeout","count":0}"#)
        for name in RoundsService.programs { try await service.harness.waitUntilReady(name) }
    }

    private func play() async {
        let steps = RoundSteps(service: service, record: record)
        while true {
            let number = record.beginRound()
            guard number < plan.rounds else { return }
            await Round(number: number, plan: plan, steps: steps).run()
        }
    }

    /// Makes PortOne fail in random ways until the task is cancelled.
    private func failPortOne() async throws {
        var random = SplitMix(state: plan.seed ^ 0xbad)
        while true {
            try? await Task.sleep(for: .milliseconds(Int.random(in: 300..<1200, using: &random)))
            if Task.isCancelled { return }
            if random.happens(10) {
                record.count("tokens expired")
                _ = try await service.control("payments/tokens/expire")
                continue
            }
            let kinds = [
                #""kind":"timeout""#, #""kind":"lost""#, #""kind":"lost""#, #""kind":"slow","delay_ms":700"#,
                #""kind":"http","status":500"#, #""kind":"http","status":200"#,
            ]
            let kind = kinds[Int.random(in: kinds.indices, using: &random)]
            record.count("PortOne fails")
            let count = Int.random(in: 1...4, using: &random)
            _ = try await service.control("faults", #"{"provider":"portone",\#(kind),"count":\#(count)}"#)
        }
    }

    /// Prints the progress until the task is cancelled.
    private func reportProgress() async {
        while true {
            try? await Task.sleep(for: .seconds(10))
            if Task.isCancelled { return }
            RoundsRecord.say("\(record.finished) of \(plan.rounds), \(record.defects.count) defects")
        }
    }
}
