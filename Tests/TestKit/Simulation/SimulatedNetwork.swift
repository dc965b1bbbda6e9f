package import Values

/// The network between the parties: each message takes some milliseconds, by the seed, unless a fault concerns it.
struct SimulatedNetwork<Party: SimulatedParty> {
    private struct Link: Hashable {
        var sender: Party
        var receiver: Party
    }

    private struct Line {
        var random: SplitMix
        /// Number of messages that are to be lost.
        var losses = 0
        /// For the next message: the milliseconds until it comes again, and by which it is late.
        var repetition: Int64?
        var delay: Int64 = 0
        /// No message that is sent before this instant arrives.
        var partedUntil: Int64 = 0
        /// A message that is sent before this instant may be lost, or come late or twice by at most so many milliseconds.
        var disturbedUntil: Int64 = 0
        var disturbance: Int64 = 1
        /// The arrival of the last message.
        var lastArrival: Int64 = 0

        mutating func disturb(for time: Int64, from now: Int64, longest: Int64) {
            disturbance = max(now < disturbedUntil ? disturbance : 1, min(time, longest))
            disturbedUntil = max(disturbedUntil, now + time)
        }

        /// Draws a fault for the next message.
        mutating func drawDisturbance() {
            let time = Int64.random(in: 1...disturbance, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: losses = max(losses, 1)
            case 1: repetition = time
            case 2: delay = time
            default: break
            }
        }
    }

    private let seed: UInt64
    private var lines: [Link: Line] = [:]

    /// The time that a message takes, in milliseconds.
    private static var usual: ClosedRange<Int64> { 1...20 }
    /// The limit of the time by which a disturbed message is late, or comes again.
    private static var longestDisturbance: Int64 { 10_000 }

    init(seed: UInt64) {
        self.seed = seed
    }

    /// The instants at which a message arrives; none when it is lost.
    ///
    /// - Parameter isOrdered: Whether messages cannot overtake each other.
    mutating func arrivals(from sender: Party, to receiver: Party, at now: Int64, isOrdered: Bool) -> [Int64] {
        let link = Link(sender: sender, receiver: receiver)
        var line = line(link)
        defer { lines[link] = line }
        if now < line.disturbedUntil { line.drawDisturbance() }
        var arrival = now + Int64.random(in: Self.usual, using: &line.random) + line.delay
        let repetition = line.repetition
        (line.delay, line.repetition) = (0, nil)
        if line.losses > 0 {
            line.losses -= 1
            return []
        }
        guard now >= line.partedUntil else { return [] }
        if isOrdered { arrival = max(arrival, line.lastArrival + 1) }
        line.lastArrival = arrival
        return [arrival] + (repetition.map { [arrival + $0] } ?? [])
    }

    /// - Returns: Whether the fault concerns the network.
    mutating func apply(_ fault: Fault<Party>, at now: Int64) -> Bool {
        switch fault {
        case .lose(let sender, let receiver): change(sender, receiver) { $0.losses += 1 }
        case .repeat(let sender, let receiver, let time): change(sender, receiver) { $0.repetition = time }
        case .delay(let sender, let receiver, let time): change(sender, receiver) { $0.delay = time }
        case .part(let one, let other, let time):
            change(one, other) { $0.partedUntil = max($0.partedUntil, now + time) }
            change(other, one) { $0.partedUntil = max($0.partedUntil, now + time) }
        case .disturb(let one, let other, let time):
            change(one, other) { $0.disturb(for: time, from: now, longest: Self.longestDisturbance) }
            change(other, one) { $0.disturb(for: time, from: now, longest: Self.longestDisturbance) }
        case .crash: return false
        }
        return true
    }

    private mutating func change(_ sender: Party, _ receiver: Party, _ body: (inout Line) -> Void) {
        let link = Link(sender: sender, receiver: receiver)
        var line = line(link)
        body(&line)
        lines[link] = line
    }

    /// Each direction draws from random numbers of its own, so that a message more on one does not change the others.
    private func line(_ link: Link) -> Line {
        lines[link] ?? Line(random: SplitMix(state: seed, for: "\(link.sender) → \(link.receiver)"))
    }
}

extension SplitMix {
    /// Random numbers for a purpose, the same in every process.
    package init(state: UInt64, for purpose: String) {
        // FNV-1a
        let hash = purpose.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        self.init(state: state ^ hash)
    }
}
