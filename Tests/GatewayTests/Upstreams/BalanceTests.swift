import Contracts
import NIOCore
import TestKit
import Testing

@testable import Gateway

/// Several copies of a service, of which one is slow, or all are full.
@Suite(.timeLimit(.minutes(2)))
struct BalanceTests {
    /// A copy that answers its name, once a gate has been passed.
    private func copy(_ name: String, _ gate: Rendezvous? = nil) async throws -> TestUpstream {
        try await TestUpstream.answering { _ in
            await gate?.arrive()
            return TestUpstream.ok(name)
        }
    }

    private func read(_ gateway: TestGateway) async throws -> RawMessage {
        let message = try await gateway.call("/stations", token: TestGateway.key.token())
        return try #require(message)
    }

    private func write(_ gateway: TestGateway) async throws -> RawMessage {
        let message = try await gateway.call("/user/seats", method: "POST", token: TestGateway.key.token(), body: "{}")
        return try #require(message)
    }

    @Test func slowCopy_getsFewRequests() async throws {
        let slow = try await TestUpstream.answering { _ in
            try await Task.sleep(for: .milliseconds(500))
            return TestUpstream.ok("slow")
        }
        let copies = [slow, try await copy("one"), try await copy("two")]
        try await TestGateway.run([.seats: copies]) { gateway in
            for _ in 0..<100 { _ = try await read(gateway) }
            #expect((1...10).contains(slow.requests.count))
            #expect(copies[1].requests.count + copies[2].requests.count >= 90)
        }
    }

    // MARK: Full services

    @Test func fullService_refusesReads_andTakesWrites() async throws {
        let gate = Rendezvous(EndpointLoad.fewest + 2)
        let service = try await copy("at last", gate)
        let configure: (inout GatewayConfiguration) -> Void = {
            $0.threads = 1
            $0.limits.lowPriorityWait = .seconds(1)
        }
        try await TestGateway.run([.seats: [service]], configure: configure) { gateway in
            try await withThrowingTaskGroup(of: Int.self) { calls in
                // One more begins the period.
                for count in 1...EndpointLoad.fewest + 1 {
                    calls.addTask { try await read(gateway).status }
                    try await gateway.waitForOutstanding(count, to: .seats)
                }
                try await Task.sleep(for: .milliseconds(1200))
                let refused = try await read(gateway)
                #expect(refused.status == 503 && Int(refused["retry-after"].first ?? "") ?? 0 >= 1)
                #expect(service.requests.count == EndpointLoad.fewest + 1)
                calls.addTask { try await write(gateway).status }
                for try await status in calls { #expect(status == 200) }
            }
            #expect(try await read(gateway).status == 200)
        }
    }

    // MARK: Second addresses

    private static func hedged(_ configuration: inout GatewayConfiguration) {
        configuration.limits.hedgeTime = .milliseconds(50)
    }

    /// Two copies, which answer the number of the request among those of both. The first requests wait at gates, and the
    /// second one may break off.
    private func copies(_ gates: Rendezvous..., breaksSecond: Bool = false) async throws -> [TestUpstream] {
        let count = Counter()
        let script: TestUpstream.Script = { connection in
            while let request = await connection.readMessage() {
                if try await TestUpstream.answerHealth(request, on: connection) { continue }
                let number = count.next()
                if number == 1, breaksSecond { await connection.close() }
                if number < gates.count { await gates[number].arrive() }
                try await connection.send(TestUpstream.ok("\(number)"))
            }
        }
        return [try await TestUpstream.playing(script), try await TestUpstream.playing(script)]
    }

    @Test func silentCopy_isNotWaitedFor() async throws {
        let gate = Rendezvous(2)
        try await TestGateway.run([.seats: try await copies(gate)], configure: Self.hedged) { gateway in
            // What is given up counts as slow, so that the next ones need no second address.
            for number in 1...5 { #expect(try await read(gateway).body == "\(number)") }
            try await gateway.waitForOutstanding(0, to: .seats)
        }
        await gate.arrive()
    }

    @Test func firstCopy_mayAnswerFirst() async throws {
        let (first, second) = (Rendezvous(2), Rendezvous(2))
        try await TestGateway.run([.seats: try await copies(first, second)], configure: Self.hedged) { gateway in
            async let answer = read(gateway)
            try await gateway.waitForOutstanding(2, to: .seats)
            await first.arrive()
            #expect(try await answer.body == "0")
            try await gateway.waitForOutstanding(0, to: .seats)
        }
        await second.arrive()
    }

    @Test func brokenSecondCopy_isIgnored() async throws {
        let (first, second) = (Rendezvous(2), Rendezvous(2))
        let copies = try await copies(first, second, breaksSecond: true)
        try await TestGateway.run([.seats: copies], configure: Self.hedged) { gateway in
            async let answer = read(gateway)
            // The second copy has closed its connection.
            await second.arrive()
            try await gateway.waitForOutstanding(1, to: .seats)
            await first.arrive()
            #expect(try await answer.body == "0")
        }
    }

    @Test func writes_areSentOnce() async throws {
        let gate = Rendezvous(2)
        try await TestGateway.run([.seats: try await copies(gate)], configure: Self.hedged) { gateway in
            async let answer = write(gateway)
            try await gateway.waitForOutstanding(1, to: .seats)
            try await Task.sleep(for: .milliseconds(500))
            try await gateway.waitForOutstanding(1, to: .seats)
            await gate.arrive()
            #expect(try await answer.body == "0")
        }
    }
}
