import AppClients
import ArgumentParser
import Contracts
import FoundationEssentials
import NIOHTTP1
import StackKit

/// `stack refund imp_…`: refunds the payment of an order.
struct RefundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund",
        abstract: "Refunds the payment of an order, completely or partially.",
        discussion: """
            The refund is retried until PortOne confirms it. A complete one cancels the order and its reservation.
            Examples:
              stack refund imp_448280090638 --reason "고객 요청"
              stack refund imp_448280090638 --amount 30000 --reason "일부 환불" --key ticket-17
            """
    )

    @OptionGroup var options: StackOptions

    @Argument(help: "PortOne's id of the payment.")
    var payment: String

    @Option(help: "Won; the whole rest without it.")
    var amount: Int64?

    @Option(help: "The reason, which the payer sees.")
    var reason: String

    @Option(name: .customLong("by"), help: "The operator's name for the audit; the user of this machine without it.")
    var operatorName: String?

    @Option(help: "An idempotency key: repeated with the same key, the refund is made once.")
    var key: String?

    func validate() throws {
        guard payment.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil else {
            throw ValidationError("'\(payment)' is no id of a payment; PortOne's begin with imp_")
        }
    }

    func run() async throws {
        let calls = try options.internalCalls
        let user = operatorName ?? options.environment["USER"] ?? "stack"
        var body: [String: JSON] = ["reason": .string(reason), "operator": .string(user)]
        body["amount"] = amount.map(JSON.integer)
        let answer = try await calls.post(
            .payments,
            OperatorsAPI.Refund.path(of: payment),
            [UInt8](JSON.object(body).encoded()),
            headers: key.map { [("Idempotency-Key", $0)] } ?? []
        )
        guard answer.status == .ok,
            let money = try? JSONDecoder().decode(OperatorsAPI.Refund.Answer.self, from: Data(answer.text.utf8))
        else {
            throw StackError("the refund is refused: \(answer.message)")
        }
        Console.line("due: \(money.due) won, refunded: \(money.cancelled) won, remaining: \(money.sold) won")
    }
}
