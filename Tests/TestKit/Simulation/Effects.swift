package import Values

/// What a party does in one step: messages, timers and random choices.
package struct Effects<Model: SimulationModel> {
    /// Milliseconds since the beginning.
    package let now: Int64
    /// For the choices of this step.
    package var random: SplitMix
    private(set) var messages: [(sender: Model.Party, receiver: Model.Party, message: Model.Message)] = []
    private(set) var timers: [(party: Model.Party, instant: Int64, timer: Model.Timer)] = []
    private(set) var notes: [String] = []
    private let isTraced: Bool

    init(now: Int64, random: SplitMix, isTraced: Bool) {
        self.now = now
        self.random = random
        self.isTraced = isTraced
    }

    package mutating func send(_ message: Model.Message, from sender: Model.Party, to receiver: Model.Party) {
        messages.append((sender, receiver, message))
    }

    /// Wakes a party, unless it crashes before.
    package mutating func wake(_ party: Model.Party, after milliseconds: Int64, for timer: Model.Timer) {
        timers.append((party, now + max(milliseconds, 0), timer))
    }

    /// Adds a decision to the trace.
    package mutating func note(_ text: @autoclosure () -> String) {
        if isTraced { notes.append(text()) }
    }
}
