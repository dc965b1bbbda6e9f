import AppClients
import Apps
import FoundationEssentials
import Synchronization
import TestKit
import Testing

/// A room whose reader has a phone at the gateway of each host, while its writer uses all of them in turn.
final class ClusterRoom: Sendable {
    private let writers: [AnlakaClient]
    private let readers: [AnlakaClient]
    private let room: String
    private let state = Mutex((written: [String](), failures: 0, isStopped: false))
    private let phones: [ClusterPhone]

    private var written: [String] { state.withLock(\.written) }
    /// The number of requests that were not answered and were sent again.
    var failures: Int { state.withLock(\.failures) }

    /// Both sign up at the first gateway.
    init(_ gateways: [String]) async throws {
        writers = try await Self.join(gateways)
        readers = try await Self.join(gateways)
        let reader = try await readers[0].send(\.getOwnProfile).json().text("user_id")
        room = try await writers[0].send(\.openChatRoom, body: ["opponent_id": .string(reader)]).json().text("room_id")
        phones = readers.map { [room] in ClusterPhone($0, room: room) }
    }

    /// Signs a person up at the first gateway; the others know it.
    private static func join(_ gateways: [String]) async throws -> [AnlakaClient] {
        let first = AnlakaClient(gateways[0], key: AppKey.anlaka)
        let email = "cluster-\(UInt32.random(in: 0...UInt32.max))@example.com"
        try await first.join(SeSACAccount(email: email, password: "anlaka2025!", nick: "새싹")).json()
        var clients = [first]
        for gateway in gateways.dropFirst() {
            let other = AnlakaClient(gateway, key: AppKey.anlaka)
            (other.connection.tokens, other.connection.userID) = (first.connection.tokens, first.id)
            #expect(try await other.send(\.getOwnProfile).json().text("user_id") == first.id)
            clients.append(other)
        }
        return clients
    }

    /// Writes numbered messages while `body` runs, and some more. A message without an answer is sent again with its id, by
    /// the next gateway.
    func whileWriting(_ body: () async throws -> Void) async throws {
        let readers = phones.map { phone in Task { await phone.run() } }
        let load = Task {
            var number = 0
            while !self.state.withLock(\.isStopped) {
                number += 1
                await self.write(number)
            }
        }
        let outcome: Result<Void, any Error>
        do {
            try await goOn(for: 10)
            try await body()
            try await goOn(for: 20)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        state.withLock { $0.isStopped = true }
        await load.value
        try? await eventually("all phones have all messages", within: .seconds(120)) {
            phones.allSatisfy { $0.texts.count >= written.count }
        }
        for reader in readers { reader.cancel() }
        try outcome.get()
    }

    /// Returns when so many more messages are acknowledged, and all phones have them.
    func goOn(for count: Int) async throws {
        let target = written.count + count
        try await eventually("messages go on", within: .seconds(120)) { written.count >= target }
        try await eventually("messages are delivered", within: .seconds(120)) {
            phones.allSatisfy { $0.texts.count >= target }
        }
    }

    private func write(_ number: Int) async {
        var attempt = number
        while !state.withLock(\.isStopped) {
            do {
                let writer = writers[attempt % writers.count]
                try await writer.write("\(number)번째", in: room, id: "m\(number)").expect()
                state.withLock { $0.written.append("\(number)번째") }
                try await Task.sleep(for: .milliseconds(20))
                return
            } catch {
                state.withLock { $0.failures += 1 }
                attempt += 1
                try? await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// Every phone has got each acknowledged message once, in order.
    func requireAll() {
        for phone in phones {
            // The last one may have been stopped before its answer.
            #expect(phone.texts == written || phone.texts.dropLast() == written[...])
            let first = phone.numbers.first ?? 0
            #expect(phone.numbers == Array(first..<first + Int64(phone.numbers.count)))
        }
    }
}

/// A phone that follows a room: when its connection ends it connects again, and goes on after its last event.
private final class ClusterPhone: Sendable {
    private let client: AnlakaClient
    private let room: String
    private let events = Mutex<[(number: Int64, text: String)]>([])

    init(_ client: AnlakaClient, room: String) {
        (self.client, self.room) = (client, room)
    }

    var texts: [String] { events.withLock { $0.map(\.text) } }
    var numbers: [Int64] { events.withLock { $0.map(\.number) } }

    /// Runs until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                let stream = try await AnlakaStream(client, room: room, after: numbers.last ?? 0)
                while true {
                    let event = try await stream.next { $0["message"] != nil }
                    guard let number = event["sequence"]?.integer else { throw ClientError("no number: \(event)") }
                    let text = try (event["message"] ?? .null).text("content")
                    events.withLock { $0.append((number, text)) }
                }
            } catch {
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}
