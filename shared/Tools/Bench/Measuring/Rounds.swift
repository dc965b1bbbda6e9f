/// The figures of several contenders, each measured once in every round, one after the other.
///
/// A slow second of the machine hits the contenders of a round alike, so that the ratio of two figures of one round says
/// more than that of two medians. Each round begins with the next contender: who is first has cold caches or a rested
/// machine.
struct Rounds<Contender: Hashable & Sendable, Figure: Sendable>: Sendable {
    /// Of each contender, in the order of rounds.
    private(set) var figures: [Contender: [Figure]] = [:]

    /// Measures.
    ///
    /// - Parameters:
    ///   - count: The number of rounds.
    ///   - report: Is called before each measurement.
    ///   - measure: Makes one measurement of a contender.
    init(
        _ count: Int,
        of contenders: [Contender],
        report: (_ round: Int, Contender) -> Void = { _, _ in },
        measure: (Contender) async throws -> Figure
    ) async throws {
        for round in 0..<count {
            for contender in Self.order(of: contenders, in: round) {
                report(round, contender)
                figures[contender, default: []].append(try await measure(contender))
            }
        }
    }

    /// The contenders in the order in which a round measures them.
    ///
    /// - Parameter round: From 0.
    static func order(of contenders: [Contender], in round: Int) -> [Contender] {
        guard !contenders.isEmpty else { return [] }
        let first = round % contenders.count
        return Array(contenders[first...] + contenders[..<first])
    }

    /// A contender's figures.
    func samples(of contender: Contender, _ value: (Figure) -> Double) -> Samples {
        Samples((figures[contender] ?? []).map(value))
    }
}

extension Rounds where Figure == Double {
    func samples(of contender: Contender) -> Samples { samples(of: contender) { $0 } }

    /// The contender with the largest median of those given.
    func best(of contenders: [Contender]) -> Contender? {
        contenders.max { samples(of: $0).median < samples(of: $1).median }
    }
}

extension BenchContext {
    /// Measures contenders in turn, as many rounds as were asked for.
    ///
    /// - Parameter name: Of a contender, for the progress.
    func interleave<Contender, Figure>(
        _ contenders: [Contender],
        name: (Contender) -> String,
        measure: (Contender) async throws -> Figure
    ) async throws -> Rounds<Contender, Figure> {
        try await Rounds(
            rounds,
            of: contenders,
            report: { report("round \($0 + 1) of \(rounds): \(name($1))") },
            measure: measure
        )
    }

    /// How long one measurement of a round takes, in whole seconds: a round's share of the duration, and at least 1.
    var secondsOfRound: Int { max(1, Int(duration / .seconds(1)) / max(1, rounds)) }
}
