package import Values

/// The name of a party in the network of a simulation.
package typealias SimulatedParty = Hashable & Sendable & CustomStringConvertible

/// A system in plain values: its parties with production code that decides, and the promises that it keeps.
///
/// It must not depend on the order of sets and dictionaries, which differs between processes, nor on any other clock or
/// random numbers than those of `Effects`.
package protocol SimulationModel {
    associatedtype Party: SimulatedParty
    /// What happens from outside: the actions of users and operators.
    associatedtype Input: Sendable, CustomStringConvertible
    associatedtype Message: Sendable, CustomStringConvertible
    associatedtype Timer: Sendable, CustomStringConvertible

    /// The time that the system gets after the last input to do what it has promised, in milliseconds.
    var settlingTime: Int64 { get }

    /// Draws what happens next. It is asked at the beginning only, so it cannot depend on what has happened.
    ///
    /// - Returns: The milliseconds until then, and the input or fault.
    func next(using random: inout SplitMix) -> (pause: Int64, happening: Happening<Self>.Kind)

    /// Whether messages from one party to another cannot overtake each other.
    func isOrdered(from sender: Party, to receiver: Party) -> Bool

    /// Whether the trace leaves a message out, unless a decision is noted when it arrives.
    func isRoutine(_ message: Message) -> Bool

    mutating func begin(_ effects: inout Effects<Self>)
    mutating func handle(_ input: Input, _ effects: inout Effects<Self>)
    mutating func receive(_ message: Message, at party: Party, from sender: Party, _ effects: inout Effects<Self>)
    mutating func wake(_ party: Party, for timer: Timer, _ effects: inout Effects<Self>)
    /// The party loses all that it has not stored. Its timers are gone, too.
    mutating func crash(_ party: Party)
    /// The party begins again with what it has stored.
    mutating func restart(_ party: Party, _ effects: inout Effects<Self>)
    /// After the last input, when no fault begins any more.
    mutating func settle(_ effects: inout Effects<Self>)

    /// The promise that the last step has broken.
    var broken: BrokenPromise? { get }
    /// A promise that is kept at last, and is still not kept after `settlingTime`.
    func brokenAtEnd() -> BrokenPromise?
}

extension SimulationModel {
    package func isOrdered(from sender: Party, to receiver: Party) -> Bool { false }
    package func isRoutine(_ message: Message) -> Bool { false }
    package mutating func begin(_ effects: inout Effects<Self>) {}
    package mutating func settle(_ effects: inout Effects<Self>) {}
    package func brokenAtEnd() -> BrokenPromise? { nil }
}

/// A promise that a system has not kept.
package struct BrokenPromise: Sendable, Equatable, CustomStringConvertible {
    /// A sentence that is the same in every run.
    package var promise: String
    /// What was found instead.
    package var detail: String

    package init(_ promise: String, _ detail: String) {
        self.promise = promise
        self.detail = detail
    }

    package var description: String { "\(promise): \(detail)" }
}

/// Something that happens from outside, at an instant in milliseconds.
package struct Happening<Model: SimulationModel>: Sendable {
    package enum Kind: Sendable {
        case input(Model.Input)
        case fault(Fault<Model.Party>)
    }

    package var instant: Int64
    package var kind: Kind
    /// For the choices that the parties make in it.
    var seed: UInt64

    package init(instant: Int64, kind: Kind, seed: UInt64 = 0) {
        self.instant = instant
        self.kind = kind
        self.seed = seed
    }
}

extension Happening: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .input(let input): "\(input)"
        case .fault(let fault): "fault: \(fault)"
        }
    }
}
