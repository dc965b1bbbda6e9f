import PostgresServer
import TestKit

/// Runs all rounds while copies and PostgreSQL are killed and PortOne fails.
struct RoundsStorm: Sendable {
    let plan: RoundsPlan
    let rig: RoundsRig
    let record: RoundsRecord

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await strikeWithoutEnd() }
            group.addTask { try await failWithoutEnd() }
            group.addTask { await tellWithoutEnd() }
            await withTaskGroup { rounds in
                for _ in 0..<plan.atOnce { rounds.addTask { await play() } }
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        _ = try await rig.pull("faults", #"{"provider":"portone","kind":"timeout","count":0}"#)
        for part in RoundsRig.Part.allCases { try await rig.waitUntilReady(part) }
    }

    private func play() async {
        let steps = RoundSteps(rig: rig, record: record)
        while true {
            let number = record.beginRound()
            guard number < plan.rounds else { return }
            await Round(number: number, plan: plan, steps: steps).run()
        }
    }

    /// Kills and restarts the copies and PostgreSQL in turn until the task is cancelled.
    private func strikeWithoutEnd() async throws {
        var fate = SplitMix(state: plan.seed)
        var turn = 0
        while true {
            try? await Task.sleep(for: .milliseconds(Int.random(in: plan.pause, using: &fate)))
            if Task.isCancelled { return }
            let pause = Duration.milliseconds(Int.random(in: 0..<400, using: &fate))
            let part: RoundsRig.Part? = [.first, nil, .second][turn % 3]
            record.count("killed \(part?.rawValue ?? "PostgreSQL")")
            // The restart is not cancelled with the task, so that no process stays down.
            try await Task {
                if let part {
                    await rig.kill(part)
                    try await Task.sleep(for: pause)
                    try await rig.start(part)
                } else {
                    try await rig.server.kill()
                    try await Task.sleep(for: pause)
                    try await rig.server.start(detached: false)
                }
            }.value
            turn += 1
        }
    }

    /// Makes PortOne fail in random ways until the task is cancelled.
    private func failWithoutEnd() async throws {
        var fate = SplitMix(state: plan.seed ^ 0xbad)
        while true {
            try? await Task.sleep(for: .milliseconds(Int.random(in: 300..<1200, using: &fate)))
            if Task.isCancelled { return }
            if fate.happens(10) {
                record.count("tokens expired")
                _ = try await rig.pull("payments/tokens/expire", "")
                continue
            }
            let kinds = [
                #""kind":"timeout""#, #""kind":"lost""#, #""kind":"lost""#, #""kind":"slow","delay_ms":700"#,
                #""kind":"http","status":500"#, #""kind":"http","status":200"#,
            ]
            let kind = kinds[Int.random(in: kinds.indices, using: &fate)]
            record.count("PortOne fails")
            let count = Int.random(in: 1...4, using: &fate)
            _ = try await rig.pull("faults", #"{"provider":"portone",\#(kind),"count":\#(count)}"#)
        }
    }

    /// Prints the progress until the task is cancelled.
    private func tellWithoutEnd() async {
        while true {
            try? await Task.sleep(for: .seconds(10))
            if Task.isCancelled { return }
            RoundsRecord.say("\(record.finished) of \(plan.rounds), \(record.defects.count) defects")
        }
    }
}
