import AppClients
import Apps
import NIOCore
import Sockets
import Synchronization

/// Sockets that stay open: some follow rooms of Anlaka, each its own, the others the seats of trains. A socket that its
/// copy closes connects again within a second; in a room it goes on after its last event.
final class AppSockets: Sendable {
    private struct State {
        var isStopped = false
        /// The sockets that have subscribed at least once.
        var opened: Set<String> = []
        /// The number of each room's last event.
        var sequences: [String: Int64] = [:]
        /// The last seat map that each socket has received, by train.
        var maps: [String: [String: ByteBuffer]] = [:]
    }

    private let gateway: String
    private let record: AppRecord
    private let state = Mutex(State())

    /// - Parameter gateway: `ws://host:port`.
    init(gateway: String, record: AppRecord) {
        self.gateway = gateway
        self.record = record
    }

    var opened: Int { state.withLock(\.opened.count) }

    /// The number of the last event that each room's socket has received.
    var sequences: [String: Int64] { state.withLock(\.sequences) }

    /// The different seat maps that a train's sockets have received last.
    func maps(of train: String) -> Set<String> {
        Set(state.withLock { $0.maps[train] ?? [:] }.values.map { String(buffer: $0) })
    }

    /// Sockets that end are not opened again.
    func stop() { state.withLock { $0.isStopped = true } }

    /// Keeps the sockets open until the task is cancelled.
    ///
    /// - Parameter seats: The number of sockets that follow trains.
    func run(rooms: [ChatSockets.Place], passengers: [LivePassenger], seats: Int) async {
        await withDiscardingTaskGroup { group in
            for place in rooms { group.addTask { await self.repeatedly(place.room) { try await self.follow(place) } } }
            for number in 0..<seats {
                let passenger = passengers[number % passengers.count]
                let name = "socket \(number) of train \(passenger.train)"
                group.addTask { await self.repeatedly(name) { try await self.watch(passenger, name) } }
            }
        }
    }

    /// Connects until the sockets are stopped.
    ///
    /// - Parameter connect: Connects, and reads messages until the connection ends.
    private func repeatedly(_ name: String, _ connect: () async throws -> Void) async {
        while true {
            // Not all at the same time.
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<1000)))
            do {
                try await connect()
            } catch STOMPClientError.closed {
                // Its copy ends before the subscription is confirmed, or while messages come.
            } catch {
                if !state.withLock(\.isStopped) { record.refused("\(name): \(error)") }
            }
            if state.withLock(\.isStopped) { return }
            record.reconnected()
        }
    }

    private func connect(
        _ path: String,
        _ topic: String,
        _ name: String,
        connect: [(String, String)] = [],
        handshake: [(String, String)] = [],
        subscribe: [(String, String)] = [],
        receive: (STOMPFrame) -> Void
    ) async throws {
        let client = try await STOMPClient.connect(gateway + path, headers: connect, handshake: handshake)
        try await withTaskCancellationHandler {
            let messages = try await client.subscribe(topic, headers: subscribe)
            state.withLock { _ = $0.opened.insert(name) }
            for try await message in messages { receive(message) }
        } onCancel: {
            client.close()
        }
    }

    private func follow(_ place: ChatSockets.Place) async throws {
        let room = place.room
        let last = state.withLock { $0.sequences[room] ?? 0 }
        try await connect(
            Anlaka().connectStream.path,
            "/topic/rooms.\(room)",
            room,
            handshake: place.headers,
            subscribe: [("after", "\(last)")]
        ) { message in
            guard message.headers["kind"] == "event", let number = message.headers["message-id"].flatMap({ Int64($0) })
            else { return }
            let last = state.withLock { state in
                defer { state.sequences[room] = max(number, state.sequences[room] ?? 0) }
                return state.sequences[room] ?? 0
            }
            if number <= last { record.doubled("event \(number) of room \(room) came after \(last)") }
            if number > last + 1 { record.lost("event \(number) of room \(room) came after \(last)") }
        }
    }

    /// Each message of a train is a whole seat map, and each change of a seat is one message.
    private func watch(_ passenger: LivePassenger, _ name: String) async throws {
        let train = passenger.train
        var last: (id: Int64, map: ByteBuffer)?
        try await connect(
            SeatCatcher().connectSTOMP.path,
            "/topic/seat.\(train)",
            name,
            connect: [("Authorization", "Bearer \(passenger.token)")]
        ) { message in
            guard let id = message.headers["message-id"].flatMap({ Int64($0) }) else { return }
            if let last, id <= last.id { record.doubled("message \(id) of train \(train) came after \(last.id)") }
            if let last, last.map == message.body { record.lost("a change before message \(id) of train \(train)") }
            last = (id, message.body)
            state.withLock { $0.maps[train, default: [:]][name] = message.body }
        }
    }
}
