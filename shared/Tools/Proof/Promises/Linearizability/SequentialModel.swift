/// What calls do to an object when they come one after the other: the specification that a concurrent history is checked
/// against.
package protocol SequentialModel {
    associatedtype State
    /// A call together with its answer. A call with an unknown answer stands for its effect.
    associatedtype Call: Hashable

    var initial: State { get }

    /// The states in which the object may be after a call; none when its answer is impossible in this state.
    func states(after call: Call, in state: State) -> [State]

    /// Whether a call changes the object in no state.
    func isReading(_ call: Call) -> Bool

    /// About how many other calls are needed before a call is possible; 0 when it is.
    func distance(to call: Call, from state: State) -> Int

    /// Whether no reading shows the effect of a call, which only makes other calls possible or impossible.
    func isHidden(_ call: Call) -> Bool

    /// Equal for states from which the same calls are possible.
    func fingerprint(of state: State) -> Fingerprint

    /// Removes from a state what only calls that had ended before a time could observe.
    ///
    /// - Parameter moment: In the unit of `TimedCall`.
    func reduce(_ state: inout State, before moment: Int64)
}

extension SequentialModel {
    package func distance(to call: Call, from state: State) -> Int { states(after: call, in: state).isEmpty ? 1 : 0 }

    package func isHidden(_ call: Call) -> Bool { false }

    package func reduce(_ state: inout State, before moment: Int64) {}
}

/// A call in the time in which it took effect.
package struct TimedCall<Call: Hashable>: Hashable {
    package var call: Call
    package var begun: Int64
    /// Nil for a call with an unknown answer: it has taken effect at one time after its begin, or never.
    package var ended: Int64?
    /// The last time at which a call with an unknown answer may have taken effect.
    package var latest: Int64

    package init(_ call: Call, begun: Int64, ended: Int64?, latest: Int64 = .max) {
        (self.call, self.begun, self.ended, self.latest) = (call, begun, ended, latest)
    }
}

extension TimedCall: Sendable where Call: Sendable {}

/// A hash of 128 bits. Two states with the same one are taken for equal, which is wrong less than once in 10²⁰ checks.
package struct Fingerprint: Hashable, Sendable {
    private var high: UInt64 = 0
    private var low: UInt64 = 0

    package init() {}

    /// Adds a value at a place, or removes it: adding it twice changes nothing. The order does not matter.
    package mutating func toggle(_ value: Int, at place: Int) {
        let word = UInt64(bitPattern: Int64(place)) &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(bitPattern: Int64(value))
        high ^= Self.mixed(word &+ 0x2545_f491_4f6c_dd1d)
        low ^= Self.mixed(Self.mixed(word) &+ 0xd1b5_4a32_d192_ed03)
    }

    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
