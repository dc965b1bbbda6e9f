import Synchronization
import TestKit

/// What the clients have received and sent.
struct ReceivedMessages: Sendable {
    /// A message as a client has received it, or as it is stored.
    struct Line: Sendable, Equatable {
        var sequence: Int64
        var clientID: String
        var content: String
    }

    /// By client.
    var received: [Int: [Line]] = [:]
    /// The counts of confirmed messages, by client.
    var sent: [Int: Int] = [:]
}

extension CrashRecord<ReceivedMessages> {
    /// Records a received message, which must follow the last one.
    func receive(_ line: ReceivedMessages.Line, on client: Int) {
        let last = last(of: client)
        if line.sequence != last + 1 { defect("client \(client) received \(line.sequence) after \(last)") }
        observations.withLock { $0.received[client, default: []].append(line) }
    }

    /// The messages that a client has received.
    func received(by client: Int) -> [ReceivedMessages.Line] { observations.withLock { $0.received[client] ?? [] } }

    /// The number of the last message that a client has received.
    func last(of client: Int) -> Int64 { received(by: client).last?.sequence ?? 0 }

    /// Records the confirmation of a client's next message.
    func confirm(_ client: Int) { observations.withLock { $0.sent[client, default: 0] += 1 } }

    /// The count of a client's confirmed messages.
    func sent(by client: Int) -> Int { observations.withLock { $0.sent[client] ?? 0 } }
}
