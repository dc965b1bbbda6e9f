import Contracts
import FoundationEssentials
import Glibc
import Hummingbird
import StackKit
import Synchronization
import TestKit
import Testing

@testable import Proof

@Suite(.timeLimit(.minutes(5))) struct FaultInjectorTests {
    /// A system whose faults are recorded.
    private final class Recorder: FaultySystem {
        let events = Mutex<[String]>([])
        let failsAt: FaultKind?

        init(failsAt: FaultKind? = nil) { self.failsAt = failsAt }

        func add(_ event: String) { events.withLock { $0.append(event) } }

        func offer() async -> FaultOffer { FaultOffer() }

        func action(for fault: PlannedFault) async throws -> FaultAction {
            guard fault.kind != .move else { throw FaultNotApplied("it was away.") }
            return FaultAction {
                self.add("begin \(fault.target)")
                if fault.kind == self.failsAt { throw StackError("it broke") }
                return "done"
            } end: {
                self.add("end \(fault.target)")
            }
        }

        func undoAll() async -> [String] {
            add("undo")
            return []
        }
    }

    private static func clock() -> @Sendable () -> Moment {
        let start = ContinuousClock.now
        return { Moment(microseconds: Int64((ContinuousClock.now - start) / .microseconds(1))) }
    }

    private static func fault(_ kind: FaultKind, _ name: String, at begins: Int64 = 0, lasts: Int64 = 0) -> PlannedFault
    {
        PlannedFault(
            begins: Moment(microseconds: begins),
            lasts: lasts,
            kind: kind,
            target: FaultTarget(name),
            strength: 1
        )
    }

    private static func run(_ faults: [PlannedFault], on system: some FaultySystem) async throws -> [AppliedFault] {
        let plan = FaultPlan(seed: 1, length: 60_000_000, faults: faults)
        return await FaultInjector(system, rules: try .standard(), now: clock()).run(plan)
    }

    @Test func faults_areAppliedInTurn_andUndoneBeforeAndAfter() async throws {
        let system = Recorder()
        let applied = try await Self.run([Self.fault(.stop, "chat", lasts: 1000)], on: system)
        #expect(system.events.withLock(\.self) == ["undo", "begin chat", "end chat", "undo"])
        let fault = try #require(applied.first)
        #expect(fault.state == .applied && fault.outcome == "done" && fault.ended >= fault.begun)
        #expect(fault.concerns == .programs([.chat, .community]))
    }

    @Test func faultThatCannotBeApplied_isRecorded() async throws {
        let applied = try await Self.run([Self.fault(.move, "chat")], on: Recorder())
        #expect(applied.map(\.state) == [.skipped] && applied.map(\.outcome) == ["it was away."])
        #expect(applied.map(\.concerns) == [.programs([])])
    }

    @Test func faultThatFails_isEnded() async throws {
        let system = Recorder(failsAt: .upgrade)
        let applied = try await Self.run([Self.fault(.upgrade, "auth")], on: system)
        #expect(applied.map(\.state) == [.failed] && applied.map(\.outcome) == ["it broke"])
        #expect(system.events.withLock(\.self).contains("end auth"))
    }

    /// An upgrade that takes longer than planned holds what others need.
    @Test func faultThatWouldConflictWithARunningOne_isSkipped() async throws {
        let faults = [Self.fault(.upgrade, "auth", lasts: 500_000), Self.fault(.kill, "chat", at: 1000)]
        let applied = try await Self.run(faults, on: Recorder())
        #expect(applied.map(\.state) == [.applied, .skipped])
        #expect(applied.last?.outcome == "rolling upgrade of a program (auth) still had effects.")
    }

    @Test func cancelledRun_endsItsFaults() async throws {
        let system = Recorder()
        let run = Task {
            try await Self.run(
                [Self.fault(.stop, "chat", lasts: 3_600_000_000), Self.fault(.stop, "auth", at: 3_600_000_000)],
                on: system
            )
        }
        try await eventually("it has begun") { system.events.withLock { $0.contains("begin chat") } }
        run.cancel()
        #expect(try await run.value.map(\.target.name) == ["chat"])
        #expect(system.events.withLock(\.self) == ["undo", "begin chat", "end chat", "undo"])
    }

    @Test func cancelledRun_ofAnInstallation_leavesNothingStopped() async throws {
        try await StubService.run { router in
            router.post("/_control/faults") { _, _ in HTTPResponse.Status.noContent }
        } _: { sandbox in
            try await FaultFolder.run { folder in
                let port = try #require(sandbox.split(separator: ":").last)
                try folder.local.save(ports: Programs(environment: ["SANDBOX_PORT": String(port)]))
                let (chat, seats) = (try folder.start("chat"), try folder.start("seats"))
                // As an earlier run has left it.
                seats.send(SIGSTOP)
                let system = try FaultyStack(folder.local, stack: "/bin/false")
                let run = Task { try await Self.run([Self.fault(.stop, "chat", lasts: 3_600_000_000)], on: system) }
                try await chat.reaches("T")
                try await seats.reaches("S")
                run.cancel()
                #expect(try await run.value.map(\.state) == [.applied])
                try await chat.reaches("S")
            }
        }
    }

    @Test func installation_offersWhatItCan() async throws {
        try await FaultFolder.run { folder in
            let offer = try await FaultyStack(folder.local, stack: "/bin/false").offer()
            let kinds = Set(offer.kinds.map(\.kind))
            #expect(kinds.isSuperset(of: [.kill, .stop, .killBackend, .providerLost, .upgrade, .move, .restoreDrill]))
            #expect(kinds.isDisjoint(with: [.killSandbox, .fullDisk, .cut, .failover]))
            #expect(kinds.union(offer.leftOut.map(\.kind)) == Set(FaultKind.allCases))
            #expect(offer.leftOut.allSatisfy { $0.sentence.hasSuffix(".") })
            let stopped = offer.kinds.first { $0.kind == .stop }?.targets.map(\.name) ?? []
            #expect(stopped.contains("supervisor") && stopped.contains("sandbox") && stopped.contains("gateway"))
        }
    }
}
