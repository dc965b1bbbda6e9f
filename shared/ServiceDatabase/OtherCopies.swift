/// The other copies of a service, which give a sign now and then through the same NATS cluster. One that gives no sign, and
/// has not taken its leave, may be behind a broken route, or have been killed; it is forgotten after a while.
struct OtherCopies: Sendable {
    /// The time after which a copy is silent.
    let silence: Duration
    /// The time after which a silent copy is forgotten.
    let memory: Duration

    private var signs: [String: ContinuousClock.Instant] = [:]

    init(silence: Duration, memory: Duration) {
        (self.silence, self.memory) = (silence, memory)
    }

    /// The sign of a copy, and what it sends when it ends.
    static func sign(of copy: String) -> String { "+\(copy)" }
    static func leave(of copy: String) -> String { "-\(copy)" }

    /// - Returns: Whether a copy is heard again that had been silent.
    mutating func receive(_ text: String, at now: ContinuousClock.Instant) -> Bool {
        let copy = String(text.dropFirst())
        guard text.first == "+" else {
            signs[copy] = nil
            return false
        }
        let last = signs.updateValue(now, forKey: copy)
        return last.map { now - $0 > silence } ?? false
    }

    /// Whether a copy is silent; those that have been silent for long are forgotten.
    mutating func hasSilent(at now: ContinuousClock.Instant) -> Bool {
        signs = signs.filter { now - $0.value <= memory }
        return signs.values.contains { now - $0 > silence }
    }

    /// Forgets all, since this copy could hear none.
    mutating func forget() { signs = [:] }
}
