import TestKit
import Values

/// A client that adds numbers to the sum of a server, and repeats what has not been confirmed.
struct CounterModel: SimulationModel {
    enum Party: String, Sendable, CustomStringConvertible {
        case client, server

        var description: String { rawValue }
    }

    struct Add: Sendable, CustomStringConvertible {
        var number: Int

        var description: String { "add \(number)" }
    }

    enum Message: Sendable, CustomStringConvertible {
        case add(Int), added(Int)

        var description: String {
            switch self {
            case .add(let number): "add \(number)"
            case .added(let number): "added \(number)"
            }
        }
    }

    struct Repetition: Sendable, CustomStringConvertible {
        var description: String { "repeats" }
    }

    /// Whether the server adds what it gets a second time.
    let addsRepetitions: Bool
    /// Whether the server keeps the sum in memory only.
    let forgets: Bool
    let settlingTime: Int64 = 10_000
    private(set) var sum = 0
    private var seen: Set<Int> = []
    private var open: [Int] = []
    private var expected = 0
    private var last = 0

    init(addsRepetitions: Bool = false, forgets: Bool = false) {
        self.addsRepetitions = addsRepetitions
        self.forgets = forgets
    }

    func next(using random: inout SplitMix) -> (pause: Int64, happening: Happening<Self>.Kind) {
        let pause = Int64.random(in: 0..<300, using: &random)
        let links: [(Party, Party)] = [(.client, .server), (.server, .client)]
        let fault = Fault.random(on: links, of: [.server], longest: 1_000, using: &random)
        guard let fault, Bool.random(using: &random) else { return (pause, .input(Add(number: 1))) }
        return (pause, .fault(fault))
    }

    mutating func begin(_ effects: inout Effects<Self>) {
        effects.wake(.client, after: 500, for: Repetition())
    }

    mutating func handle(_ input: Add, _ effects: inout Effects<Self>) {
        last += input.number
        expected += input.number
        open.append(last)
        effects.send(.add(last), from: .client, to: .server)
    }

    mutating func receive(_ message: Message, at party: Party, from sender: Party, _ effects: inout Effects<Self>) {
        switch message {
        case .add(let number):
            if seen.insert(number).inserted || addsRepetitions { sum += 1 }
            effects.send(.added(number), from: .server, to: .client)
        case .added(let number):
            open.removeAll { $0 == number }
        }
    }

    mutating func wake(_ party: Party, for timer: Repetition, _ effects: inout Effects<Self>) {
        for number in open { effects.send(.add(number), from: .client, to: .server) }
        effects.wake(.client, after: 500, for: timer)
    }

    mutating func crash(_ party: Party) {
        if forgets { (sum, seen) = (0, []) }
    }

    mutating func restart(_ party: Party, _ effects: inout Effects<Self>) {}

    var broken: BrokenPromise? {
        sum > expected ? BrokenPromise("nothing is added twice", "\(sum) instead of \(expected)") : nil
    }

    func brokenAtEnd() -> BrokenPromise? {
        sum < expected ? BrokenPromise("all is added", "\(sum) instead of \(expected)") : nil
    }
}
