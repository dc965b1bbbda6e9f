import Proof
import Testing

/// Rules that hold for every plan, checked without the code that makes plans.
@Suite struct FaultFairnessTests {
    private static let installations = Result { try plans(.installation) }
    private static let clusters = Result { try plans(.cluster) }

    /// The plans of 200 seeds.
    private static func plans(_ offer: FaultOffer) throws -> [[PlannedFault]] {
        try (0..<200).map { try FaultPlan.sample(UInt64($0), offer).faults }
    }

    /// Of which at most one goes on.
    private static let heavy: Set<FaultKind> = [
        .restartDatabase, .killDatabase, .fullDisk, .wrongClock, .upgrade, .move, .restoreDrill, .failover,
    ]
    private static let ofDatabase: Set<FaultKind> = [
        .killBackend, .killCheckpointer, .stopDatabase, .restartDatabase, .killDatabase, .fullDisk, .failover,
    ]
    private static let ofProviders: Set<FaultKind> = [.providerLate, .providerLost, .providerFails, .providerSilent]
    /// During which nothing that dies is started again.
    private static let holdsSupervisor: Set<FaultKind> = [
        .killSupervisor, .restartDatabase, .killDatabase, .fullDisk, .wrongClock, .upgrade, .move,
    ]

    /// Checks each two faults that begin within some time, the earlier one first.
    private func forPairs(
        within seconds: Double,
        _ check: (_ earlier: PlannedFault, _ later: PlannedFault, _ between: Double) -> Void
    ) throws {
        for faults in try Self.installations.get() + Self.clusters.get() {
            for (index, earlier) in faults.enumerated() {
                for later in faults[(index + 1)...] {
                    guard Self.seconds(later.begins.microseconds - earlier.begins.microseconds) < seconds else { break }
                    // From the end of the earlier one to the beginning of the later one.
                    check(earlier, later, Self.seconds(later.begins.microseconds - earlier.ends.microseconds))
                }
            }
        }
    }

    private static func seconds(_ microseconds: Int64) -> Double { Double(microseconds) / 1e6 }

    @Test func aTarget_hasOneFaultAtATime() throws {
        try forPairs(within: 60) { earlier, later, between in
            guard earlier.target.name == later.target.name, earlier.kind != .webhookTwice, later.kind != .webhookTwice
            else { return }
            // Also on different hosts: a copy of each program always works.
            #expect(between > 0, "\(earlier) \(later)")
        }
    }

    @Test func heavyFaults_comeOneByOne_andAreFollowedByAPause() throws {
        try forPairs(within: 90) { earlier, later, between in
            if Self.heavy.contains(earlier.kind), Self.heavy.contains(later.kind) {
                #expect(between >= 5, "\(earlier) \(later)")
            }
        }
        for faults in try Self.installations.get() {
            for heavy in faults where Self.heavy.contains(heavy.kind) {
                let after = heavy.ends.microseconds
                let end = min(after + 60_000_000, 600_000_000)
                // The longest time in which nothing goes on.
                var (free, quiet) = (after, Int64(0))
                for fault in faults where fault != heavy && fault.ends.microseconds > after {
                    quiet = max(quiet, min(fault.begins.microseconds, end) - free)
                    free = max(free, fault.ends.microseconds)
                }
                #expect(max(quiet, end - free) >= 4_000_000, "\(heavy)")
            }
        }
    }

    @Test func database_isAwayForSecondsOnly() throws {
        for faults in try Self.installations.get() {
            let ofDatabase = faults.filter { Self.ofDatabase.contains($0.kind) }
            #expect(ofDatabase.allSatisfy { $0.lasts <= 3_000_000 })
        }
        try forPairs(within: 30) { earlier, later, between in
            guard Self.ofDatabase.contains(earlier.kind), Self.ofDatabase.contains(later.kind) else { return }
            #expect(between >= 4, "\(earlier) \(later)")
        }
    }

    @Test func killedProgram_isStartedAgainAtOnce() throws {
        try forPairs(within: 90) { earlier, later, between in
            // A supervisor waits for up to a minute before it starts again what has died before.
            if earlier.kind == .kill, later.kind == .kill, earlier.target == later.target {
                #expect(between >= 65)
            }
            let isHeld = Self.holdsSupervisor.contains(earlier.kind) || earlier.target.name == "supervisor"
            if isHeld, later.kind == .kill { #expect(between > 0, "\(earlier) \(later)") }
            let willBeHeld = Self.holdsSupervisor.contains(later.kind) || later.target.name == "supervisor"
            if willBeHeld, earlier.kind == .kill { #expect(between >= 4, "\(earlier) \(later)") }
        }
    }

    @Test func fewProgramsAndProviders_areAwayAtOnce() throws {
        for faults in try Self.installations.get() {
            for fault in faults {
                let together = faults.filter { $0.begins <= fault.begins && $0.ends >= fault.begins }
                #expect(together.count { Self.ofProviders.contains($0.kind) } <= 3)
                #expect(together.count { $0.kind == .stop || $0.kind == .kill || $0.kind == .descriptors } <= 3)
            }
        }
    }

    @Test func providers_areNotAskedWhileTheSandboxIsStopped() throws {
        try forPairs(within: 30) { earlier, later, between in
            if earlier.target.name == "sandbox", Self.ofProviders.contains(later.kind) { #expect(between > 0) }
            if later.target.name == "sandbox", Self.ofProviders.contains(earlier.kind) { #expect(between > 0) }
        }
    }
}
