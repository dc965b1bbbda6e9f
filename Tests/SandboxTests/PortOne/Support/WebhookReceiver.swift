import Hummingbird
import HummingbirdTesting
import Logging
import Synchronization
import TestKit

@testable import Sandbox

/// A shop's server, which receives webhooks on a port of its own.
final class WebhookReceiver: Sendable {
    struct Webhook: Sendable, Equatable {
        var type: String
        var body: String
    }

    private let received = Mutex<[Webhook]>([])
    /// The statuses of its responses, in order; 200 after the last.
    private let answers: Mutex<[HTTPResponse.Status]>

    private init(_ answers: [HTTPResponse.Status]) {
        self.answers = Mutex(answers)
    }

    /// Runs `body` with a sandbox that sends webhooks to a receiver.
    ///
    /// - Parameter pause: The pause before a failed webhook is sent again.
    static func run(
        answers: [HTTPResponse.Status] = [],
        pause: Duration = .seconds(60),
        _ body: @escaping @Sendable (PortOneShop, WebhookReceiver) async throws -> Void
    ) async throws {
        let receiver = WebhookReceiver(answers)
        let router = Router()
        router.post("hook") { request, context in
            let text = String(buffer: try await request.body.collect(upTo: 10_000))
            return receiver.take(Webhook(type: request.headers[.contentType] ?? "", body: text))
        }
        let address = ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0))
        try await Application(router: router, configuration: address, logger: .quiet).test(.live) { server in
            let url = "http://127.0.0.1:\(server.port ?? 0)/hook"
            try await PortOneShop.run({
                $0.portOneWebhookURL = url
                $0.portOneWebhookPause = pause
            }) { try await body($0, receiver) }
        }
    }

    private func take(_ webhook: Webhook) -> HTTPResponse.Status {
        received.withLock { $0.append(webhook) }
        return answers.withLock { $0.isEmpty ? .ok : $0.removeFirst() }
    }

    /// The webhooks received so far.
    var all: [Webhook] { received.withLock(\.self) }

    /// Waits for a count of webhooks and returns them.
    func first(_ count: Int) async throws -> [Webhook] {
        while true {
            let all = all
            if all.count >= count { return all }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
