import Contracts
import FoundationEssentials
import Postgres
import Subway
import TestKit
import Testing

@testable import Seats

/// Concurrent copies of the service never take the same due row.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct DueTests {
    private var database: PostgresClient { TestDatabase.current.client }

    /// Takes concurrently from eight tasks until nothing is due.
    private func takeAll<ID: Hashable & Sendable>(_ take: @escaping @Sendable () async throws -> [ID]) async throws
        -> [ID]
    {
        try await withThrowingTaskGroup(of: [ID].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var all: [ID] = []
                    while true {
                        let taken = try await take()
                        if taken.isEmpty { return all }
                        all += taken
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    @Test func concurrentTakes_takeEachJourneyOnce() async throws {
        let store = JourneyStore()
        let database = database
        try await StationStore(database: database).load(try StationData.stations())
        for account in AccountID(1)...40 {
            _ = try await store.insert(
                account: account,
                start: 32,
                end: 35,
                train: try TrainCode(parsing: "2234"),
                expectedArrival: .now + 300,
                nextCheck: .now - 1,
                in: database
            )
        }
        let taken = try await takeAll { try await store.takeDue(limit: 3, forSeconds: 20, in: database).map(\.id) }
        #expect(taken.count == 40 && Set(taken).count == 40)
    }

    @Test func concurrentTakes_takeEachAlertOnce() async throws {
        let store = AlertStore()
        let database = database
        let alert = Alert(account: 7, kind: .seatRequestReceived, arguments: ["n", "10"])
        for index in 0..<40 {
            try await database.transaction { transaction in
                let topic = LiveTopic.owner(seat: 1, account: 7)
                let message = try await LiveStore().publish("x", to: topic, in: transaction)
                if index < 10 { try await LiveStore().markDelivered([message], in: transaction) }
                try await store.schedule(alert, message: message, after: 0, in: transaction)
            }
        }
        let taken = try await takeAll {
            try await database.transaction { try await store.takeDue(limit: 3, in: $0) }.map { "\($0.id) \($0.isSeen)" }
        }
        #expect(taken.count == 40 && Set(taken).count == 40)
        #expect(taken.count { $0.hasSuffix("true") } == 10)
    }

    @Test func alert_isDueAfterDelayAndCommit() async throws {
        struct Undone: Error {}
        let alert = Alert(account: 7, kind: .arrivalHandled, arguments: [])
        try await AlertStore().schedule(alert, message: nil, after: 60, in: database)
        await #expect(throws: Undone.self) {
            try await database.transaction { transaction in
                try await AlertStore().schedule(alert, message: nil, after: 0, in: transaction)
                throw Undone()
            }
        }
        let due = try await database.transaction { try await AlertStore().takeDue(limit: 10, in: $0) }
        #expect(due.isEmpty)
    }
}
