import Contracts
import FoundationEssentials
import NIOCore
import Sockets
import TestKit
import Values

/// A client in the crash test: it sends one message after the other, each until it is confirmed, and receives
/// all the time. It reconnects after a lost connection, and continues after the last number that it has received.
struct CrashClient: Sendable {
    let number: Int
    /// The public id.
    let room: String
    let plan: CrashPlan
    let gateway: CrashGateway
    let record: CrashRecord<ReceivedMessages>

    private var account: AccountID { plan.owner(of: number) }

    /// Sends until every message is confirmed.
    func write() async {
        var random = SplitMix(state: plan.seed &+ UInt64(number) &* 0x1000_0001)
        while record.sent(by: number) < plan.share, !Task.isCancelled {
            let (count, seed) = (Int.random(in: 5...40, using: &random), random.next())
            do {
                try await connected { try await write(count, through: $0, seed: seed) }
                record.count("disconnected")
            } catch {
                note(error)
                try? await Task.sleep(for: .milliseconds(Int.random(in: 50..<250, using: &random)))
            }
        }
    }

    /// Receives until every message of the room has arrived.
    func receiveAll() async {
        let total = plan.total(of: plan.room(of: number))
        while record.last(of: number) < total, !Task.isCancelled {
            do {
                try await connected { _ in
                    while record.last(of: number) < total { try await Task.sleep(for: .milliseconds(20)) }
                }
            } catch {
                note(error)
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// Subscribes after the last received number while `body` runs.
    private func connected(_ body: @escaping @Sendable (STOMPClient) async throws -> Void) async throws {
        let client = try await STOMPClient.connect(
            gateway.streamURL("gateway"),
            handshake: gateway.headers(of: account, to: "gateway")
        )
        defer { client.close() }
        let after = [("after", String(record.last(of: number)))]
        let frames = try await client.subscribe("/topic/rooms.\(room)", headers: after)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await frame in frames where frame.headers["kind"] == "event" {
                    record.receive(try ReceivedMessages.Line(frame), on: number)
                }
                throw Unanswered(status: 0)
            }
            group.addTask { try await body(client) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func write(_ count: Int, through client: STOMPClient, seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        for _ in 0..<count where record.sent(by: number) < plan.share {
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...plan.thinking, using: &random)))
            let id = "\(number)-\(record.sent(by: number))"
            if Bool.random(using: &random) {
                try await client.send("/app/rooms.\(room)", Self.content(id), headers: [("client-id", id)])
            } else {
                let json = #"{"content":"\#(Self.content(id))","files":[],"client_id":"\#(id)"}"#
                guard let answer = try await gateway.post("/v1/chats/\(room)", json: json, by: account) else {
                    throw Unanswered(status: 0)
                }
                record.count("\(answer.status)")
                if ![200, 502, 503, 504].contains(answer.status) { record.defect("\(answer)") }
                guard answer.status == 200 else { throw Unanswered(status: answer.status) }
            }
            record.confirm(number)
        }
    }

    static func content(_ id: String) -> String { "메시지 \(id)" }

    struct Unanswered: Error { var status: Int }

    /// Records an error: some errors are defects, the others are results of the crashes.
    private func note(_ error: any Error) {
        guard let message = (error as? STOMPClientError)?.message else { return record.count("lost") }
        record.count("refused")
        if message != "Try again in a moment." { record.defect("client \(number) received: \(message)") }
    }
}

extension ReceivedMessages.Line {
    private struct Event: Decodable {
        struct Message: Decodable {
            var content: String
            var clientID: String?

            enum CodingKeys: String, CodingKey {
                case content
                case clientID = "client_id"
            }
        }

        var sequence: Int64
        var message: Message
    }

    init(_ frame: STOMPFrame) throws {
        let event = try JSONDecoder().decode(Event.self, from: Data(frame.body.readableBytesView))
        self.init(sequence: event.sequence, clientID: event.message.clientID ?? "", content: event.message.content)
    }
}
