import FoundationEssentials
import Hummingbird
import ServiceLifecycle

/// A webhook of PortOne to a merchant's server. It is not signed, so the merchant must query the payment.
///
/// Source: Anlaka contract 6.1, "Webhook".
struct PortOneWebhook: Sendable, Encodable {
    var impUid: String
    var merchantUid: String
    var status: String
    /// The id of the last refund, if there is one.
    var cancellationId: String?

    /// - Parameter status: nil for the payment's own.
    init(_ payment: PortOnePayment, status: String? = nil) {
        impUid = payment.impUid
        merchantUid = payment.merchantUid
        self.status = status ?? payment.status.rawValue
        cancellationId = payment.cancelHistory.last?.cancellationId
    }

    /// - Parameter form: `application/x-www-form-urlencoded` instead of JSON, which is the merchant's choice.
    func body(form: Bool) throws -> String {
        guard form else { return String(decoding: try JSONEncoder.snakeCase.encode(self), as: UTF8.self) }
        var fields = ["imp_uid": impUid, "merchant_uid": merchantUid, "status": status]
        fields["cancellation_id"] = cancellationId
        return try URLEncodedFormEncoder().encode(fields)
    }
}

/// Delivers webhooks to the merchant's server.
struct PortOneWebhooks: Service {
    /// The target; empty for none.
    let url: String
    /// The pause between attempts.
    let pause: Duration
    private let waiting: AsyncStream<Delivery>
    private let queue: AsyncStream<Delivery>.Continuation

    /// A delivery in the background.
    private struct Delivery: Sendable {
        var webhook: PortOneWebhook
        var delay = Duration.zero
        var times = 1
        var form = false
        /// The number of retries without a response, or after 5xx.
        var repeats = 0
    }

    /// The retries of PortOne's corresponding option.
    private static let repeats = 5

    init(url: String, pause: Duration) {
        self.url = url
        self.pause = pause
        (waiting, queue) = AsyncStream.makeStream()
    }

    /// Sends a webhook several times concurrently.
    ///
    /// - Returns: The statuses of the responses; nil for each missing one.
    func send(_ webhook: PortOneWebhook, times: Int, form: Bool) async -> [Int?] {
        guard !url.isEmpty, let body = try? webhook.body(form: form) else { return [] }
        let type = form ? "application/x-www-form-urlencoded" : "application/json"
        return await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<times {
                // PortOne's timeout.
                group.addTask { await WebhookSender.post(url, body: body, type: type, timeout: .seconds(30)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Sends a webhook after a delay, in the background.
    func send(_ webhook: PortOneWebhook, times: Int, form: Bool, after delay: Duration) {
        queue.yield(Delivery(webhook: webhook, delay: delay, times: times, form: form))
    }

    /// Sends a webhook in the background, and retries while the merchant's server is unavailable.
    func sendWithRetries(_ webhook: PortOneWebhook) {
        queue.yield(Delivery(webhook: webhook, repeats: Self.repeats))
    }

    func run() async {
        await withDiscardingTaskGroup { group in
            for await delivery in waiting.cancelOnGracefulShutdown() {
                group.addTask { try? await cancelWhenGracefulShutdown { try await deliver(delivery) } }
            }
        }
    }

    private func deliver(_ delivery: Delivery) async throws {
        try await Task.sleep(for: delivery.delay)
        for attempt in 0...delivery.repeats {
            if attempt > 0 { try await Task.sleep(for: pause) }
            let statuses = await send(delivery.webhook, times: delivery.times, form: delivery.form)
            if statuses.allSatisfy({ $0.map { $0 < 500 } ?? false }) { return }
        }
    }
}
