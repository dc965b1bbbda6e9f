import Contracts
import FoundationEssentials
import Postgres
import Sockets
import Synchronization
import TestKit
import Testing

@testable import Seats

@Suite(.timeLimit(.minutes(1))) struct DeliveryTests {
    /// The ids that arrive during a write are one batch, and a failed batch is written with the next one.
    @Test func deliveries_areRecordedInBatches() async throws {
        struct Refused: Error {}
        let batches = DeliveryBatches()
        let written = Mutex<[[LiveMessageID]]>([])
        batches.add(1)
        let running = Task {
            await batches.run { ids in
                let number = written.withLock { written in
                    written.append(ids)
                    return written.count
                }
                if number == 1 { for id in 2...1000 as ClosedRange<LiveMessageID> { batches.add(id) } }
                if number == 2 { throw Refused() }
            } failed: { _ in
                batches.add(1001)
            }
        }
        try await eventually { written.withLock { $0.count } == 3 }
        running.cancel()
        await running.value
        let all = written.withLock { $0 }
        #expect(all[0] == [1])
        #expect(all[1] == Array(2...1000))
        #expect(all[2] == Array(2...1001))
    }

    @Test(.database(Migrations.all), .fixture(LiveSeatsWorld.test)) func onlyAlertedMessages_areRecorded() async throws
    {
        let world = LiveSeatsWorld.current
        let seat = try await world.seats.seats()[0]
        let journey = try await world.seats.start(1).pathHistoryId
        let client = try await world.connect(1)
        var paths = try await client.subscribe("/topic/path-histories.\(journey)").makeAsyncIterator()
        _ = try await paths.next()
        _ = try await world.seats.occupy(seat, 1)
        var requests = try await client.subscribe("/topic/seat.\(seat).owner").makeAsyncIterator()
        #expect(try await world.seats.request(seat, by: 2, 0) == "200")
        _ = try await requests.next()
        let kept = try await SeatsDomain.current.journeys.path(journey, account: 1)
        try await SeatsDomain.current.journeys.update(kept, kept.tracking, nextCheck: .now + 60, isChanged: false)
        _ = try await paths.next()
        func delivered() async throws -> [String] {
            try await world.database.all(
                "SELECT DISTINCT split_part(topic, '/', 1) FROM live_messages WHERE delivered_at IS NOT NULL"
            ) { try $0.decode(String.self) }
        }
        try await eventually { try await delivered() == ["owner"] }
    }
}
