/// A running system that faults are applied to.
package protocol FaultySystem: Sendable {
    /// What can fail in it.
    func offer() async -> FaultOffer

    /// How a fault is applied and ended.
    ///
    /// - Throws: `FaultNotApplied` if that is not possible now.
    func action(for fault: PlannedFault) async throws -> FaultAction

    /// Ends all faults, also those that an earlier run has left, and waits for nothing longer than seconds.
    ///
    /// - Returns: What could not be ended, a sentence each.
    func undoAll() async -> [String]
}

/// How a fault is applied and ended.
package struct FaultAction: Sendable {
    /// Applies it.
    ///
    /// - Returns: What was done, a sentence.
    var begin: @Sendable () async throws -> String
    /// Ends it, also one of which the beginning has failed. Its task is not cancelled with the run.
    var end: @Sendable () async throws -> Void = {}
}

/// A fault cannot be applied now, as when a program is away.
package struct FaultNotApplied: Error, Equatable, CustomStringConvertible {
    /// A sentence.
    package let description: String

    package init(_ description: String) { self.description = description }
}
