import AppClients
import Apps
import Contracts
import FoundationEssentials
import NIOCore
import Sockets
import StackKit
import Synchronization

/// A car whose passengers sit down one after the other, about once a second and by the gateways in turn, and then get
/// up in the same order; and a phone at each gateway that shows its seats.
final class ClusterCar: Sendable {
    let record: SeatRecord
    /// The same passengers at each gateway.
    private let passengers: [[LivePassenger]]
    private let isPaused = Atomic(false)

    private static let train = "2003"
    private static let count = 8
    private static let pause = Duration.seconds(1)

    /// Signs the passengers in.
    init(gateways: [String], sandbox: String) async throws {
        var first: [LivePassenger] = []
        for number in 0..<Self.count {
            first.append(
                try await .signIn(
                    gateway: gateways[0],
                    sandbox: sandbox,
                    number: number,
                    train: Self.train,
                    car: Self.train
                )
            )
        }
        passengers = [first] + gateways.dropFirst().map { gateway in first.map { $0.at(gateway) } }
        record = SeatRecord(phones: gateways.count, states: 2 * Self.count)
    }

    /// Changes seats and shows them until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for phone in passengers.indices { group.addTask { await untilCancelled { try await self.follow(phone) } } }
            var change = 0
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.pause)
                if isPaused.load(ordering: .relaxed) { continue }
                await self.change(change)
                change += 1
            }
        }
    }

    func begin() {
        record.begin()
        isPaused.store(false, ordering: .relaxed)
    }

    /// Ends the changes, and waits for the phones.
    ///
    /// - Returns: The phones that do not show the last change after a minute, in words.
    func end() async throws -> [String] {
        isPaused.store(true, ordering: .relaxed)
        // A change that has been due before is under way by then.
        try await Task.sleep(for: Self.pause)
        try await waitUntil("the last change is acknowledged") { record.isQuiet }
        try? await waitUntil("all phones show it", every: .milliseconds(100)) { record.outdated.isEmpty }
        return record.outdated
    }

    // MARK: Changes

    /// Without an answer it is tried again by the next gateway.
    private func change(_ number: Int) async {
        let (passenger, sits) = (number % Self.count, number / Self.count % 2 == 0)
        record.changeBegun()
        var attempt = number
        while !Task.isCancelled {
            do {
                let one = passengers[attempt % passengers.count][passenger]
                try await one.change(sits: sits, isRepeated: attempt > number)
                return record.changeAcknowledged()
            } catch {
                attempt += 1
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    // MARK: Phones

    /// Shows a phone the seats of the car until its socket ends.
    private func follow(_ phone: Int) async throws {
        let passenger = passengers[phone][phone]
        let client = try await STOMPClient.connect(
            passenger.socket,
            headers: [("Authorization", "Bearer \(passenger.token)")]
        )
        try await withTaskCancellationHandler {
            for try await map in try await client.subscribe("/topic/seat.\(Self.train)") {
                let bytes = Data(map.body.readableBytesView)
                let sections = try JSONDecoder().decode([SeatCatcherSection].self, from: bytes)
                record.shows(state(of: try SeatCatcherCar(sections)), phone: phone)
            }
        } onCancel: {
            client.close()
        }
    }

    /// The number of changes that lead to the seats of a car; nil if none do.
    private func state(of car: SeatCatcherCar) -> Int? {
        let seated = passengers[0].map { car.occupants[$0.seat] != nil }
        return (0..<2 * Self.count).first { number in
            let rising = number <= Self.count
            return seated.indices.allSatisfy { seated[$0] == (rising ? $0 < number : $0 >= number - Self.count) }
        }
    }
}
