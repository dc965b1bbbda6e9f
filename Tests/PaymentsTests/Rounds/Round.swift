import FoundationEssentials
import TestKit
import Values

/// One random sequence of an order, its payments and their events, drawn from the seed.
struct Round: Sendable {
    let number: Int
    let plan: RoundsPlan
    let steps: RoundSteps

    var record: RoundsRecord { steps.record }

    func run() async {
        var random = SplitMix(state: plan.seed &+ UInt64(number) &* 0x1000_0001)
        do {
            if random.happens(75) {
                try await reservation(&random)
            } else {
                try await purchase(&random)
            }
        } catch {
            record.defect("round \(number): \(error)")
        }
        record.finishRound()
    }

    typealias Step = @Sendable () async -> Void

    /// Runs the steps in random order, sequentially or concurrently.
    static func perform(_ deeds: [Step], _ random: inout SplitMix) async {
        let deeds = deeds.shuffled(using: &random)
        guard random.happens(50) else {
            for deed in deeds {
                await pause(upTo: 300, &random)
                await deed()
            }
            return
        }
        await withTaskGroup { group in
            for deed in deeds { group.addTask { await deed() } }
        }
    }

    static func pause(upTo milliseconds: Int, _ random: inout SplitMix) async {
        try? await Task.sleep(for: .milliseconds(Int.random(in: 0...milliseconds, using: &random)))
    }

    /// Random webhooks of a payment, some of them forged.
    func webhooks(_ impUID: String, _ random: inout SplitMix) -> [Step] {
        var deeds: [Step] = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            let status = ["paid", "paid", "paid", "cancelled", "ready", "무엇"][Int.random(in: 0..<6, using: &random)]
            let (copy, times) = (Int.random(in: 0...1, using: &random), random.happens(25) ? 2 : 1)
            return { for _ in 0..<times { await steps.notify(impUID, status, at: copy) } }
        }
        if random.happens(10) {
            let forged = "imp_\(Int.random(in: 100_000_000_000...999_999_999_999, using: &random))"
            deeds.append { await steps.notify(forged, "paid", at: number) }
        }
        return deeds
    }

    /// Random refunds by operators and cancellations in PortOne's console.
    func returns(_ impUID: String, _ amount: Int64, _ random: inout SplitMix) -> [Step] {
        var deeds: [Step] = []
        if random.happens(15) {
            let part = random.happens(60) ? Int64.random(in: 1...amount, using: &random) : nil
            let (key, copy) = ("refund-\(impUID)-\(random.next())", Int.random(in: 0...1, using: &random))
            let times = random.happens(40) ? 2 : 1
            deeds += (0..<times).map { time in { await steps.refund(impUID, part, key: key, at: copy + time) } }
        }
        if random.happens(10) {
            let part = random.happens(60) ? Int64.random(in: 1...amount, using: &random) : amount
            let seed = random.next()
            deeds.append { await steps.cancel(impUID, part, seed: seed) }
        }
        return deeds
    }
}

extension SplitMix {
    /// True with a probability of `percent`.
    mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// A random kind, by weight.
    mutating func draw<Kind>(_ kinds: [(Kind, Int)], or other: Kind) -> Kind {
        var rest = Int.random(in: 0..<kinds.reduce(0) { $0 + $1.1 }, using: &self)
        for (kind, weight) in kinds {
            if rest < weight { return kind }
            rest -= weight
        }
        return other
    }
}
