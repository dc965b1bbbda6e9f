package import Values

/// What fails in a simulation. Without faults every message arrives once.
package enum Fault<Party: SimulatedParty>: Sendable {
    /// The next message from the first to the second party does not arrive.
    case lose(Party, Party)
    /// The next message arrives twice, the second time after some milliseconds.
    case `repeat`(Party, Party, after: Int64)
    /// The next message takes some more milliseconds, so that later ones can overtake it.
    case delay(Party, Party, by: Int64)
    /// No message between two parties arrives that is sent in the next milliseconds.
    case part(Party, Party, for: Int64)
    /// Each message between two parties that is sent in the next milliseconds may be lost, come late or twice.
    case disturb(Party, Party, for: Int64)
    /// A party ends, and starts again after some milliseconds with what it has stored.
    case crash(Party, for: Int64)

    /// A random fault.
    ///
    /// - Parameters:
    ///   - links: The senders and receivers whose messages may fail.
    ///   - parties: Those that may crash.
    ///   - longest: The limit of every duration, in milliseconds.
    package static func random(
        on links: [(Party, Party)],
        of parties: [Party],
        longest: Int64,
        using random: inout SplitMix
    ) -> Fault? {
        let time = Int64.random(in: 1...max(longest, 1), using: &random)
        let kind = Int.random(in: 0..<8, using: &random)
        guard kind < 7, let link = links.randomElement(using: &random) else {
            return parties.randomElement(using: &random).map { .crash($0, for: time) }
        }
        switch kind {
        case 0, 1: return .lose(link.0, link.1)
        case 2: return .repeat(link.0, link.1, after: time)
        case 3: return .delay(link.0, link.1, by: time)
        case 4: return .part(link.0, link.1, for: time)
        default: return .disturb(link.0, link.1, for: time)
        }
    }
}

extension Fault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .lose(let sender, let receiver): "the next message from \(sender) to \(receiver) is lost"
        case .repeat(let sender, let receiver, _): "the next message from \(sender) to \(receiver) comes twice"
        case .delay(let sender, let receiver, let time):
            "the next message from \(sender) to \(receiver) is late by \(VirtualClock.text(time))"
        case .part(let one, let other, let time):
            "\(one) and \(other) cannot reach each other for \(VirtualClock.text(time))"
        case .disturb(let one, let other, let time):
            "messages between \(one) and \(other) are lost, late or doubled for \(VirtualClock.text(time))"
        case .crash(let party, let time): "\(party) crashes, for \(VirtualClock.text(time))"
        }
    }
}
