import AppClients
import Apps
import Synchronization
import Values

/// Webhooks that PortOne has not sent: its address is public, and they are not signed.
extension Buyers {
    /// Says in PortOne's name that an order was paid, by a payment that does not exist or pays for another order.
    func forge(_ number: Int, _ random: inout SplitMix) async {
        guard let code = state.orders.withLock({ $0[number]?.suffix(3).randomElement(using: &random) }) else { return }
        let others = state.payments.withLock { $0.values.flatMap { $0 }.filter { $0.order != code }.map(\.id) }
        let invented = "imp_\(UInt64.random(in: 100_000_000_000..<1_000_000_000_000, using: &random))"
        let id = Bool.random(using: &random) ? others.randomElement(using: &random) ?? invented : invented
        let client = clients[number]
        let answer = await phones[number].attempt("payments") {
            try await client.send(
                \.receivePaymentWebhook,
                body: ["imp_uid": .string(id), "merchant_uid": .string(code), "status": "paid"]
            )
        }
        phones[number].diary.note { $0.forgeries.append(ForgedWebhook(answer.attempt, payment: id, order: code)) }
    }
}
