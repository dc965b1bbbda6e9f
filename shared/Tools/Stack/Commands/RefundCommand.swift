import AppClients
import ArgumentParser
import FoundationEssentials
import NIOHTTP1
import StackKit

/// `stack refund imp_…`: refunds the payment of an order.
struct RefundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund",
        abstract: "Gives back what somebody has paid for an order, or a part of it.",
        discussion: """
            PortOne is asked until it has done so. All of it ends the order, and frees what it has reserved.
            Examples:
              stack refund imp_448280090638 --reason "고객 요청"
              stack refund imp_448280090638 --amount 30000 --reason "일부 환불" --key ticket-17
            """
    )

    @OptionGroup var yard: StackOptions

    @Argument(help: "PortOne's id of the payment.")
    var payment: String

    @Option(help: "Won; all that is left without it.")
    var amount: Int64?

    @Option(help: "What the payer is told.")
    var reason: String

    @Option(name: .customLong("by"), help: "Who does it, for the audit; the user of this machine without it.")
    var operatorName: String?

    @Option(help: "A name for this refund: given again under the same, it is made once.")
    var key: String?

    private struct Answer: Decodable {
        var sold: Int64
        var due: Int64
        var cancelled: Int64
    }

    func validate() throws {
        guard payment.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil else {
            throw ValidationError("'\(payment)' is no id of a payment; PortOne's begin with imp_")
        }
    }

    func run() async throws {
        let calls = try yard.internalCalls
        let user = operatorName ?? yard.environment["USER"] ?? "stack"
        var body: [String: JSON] = ["reason": .string(reason), "operator": .string(user)]
        body["amount"] = amount.map(JSON.integer)
        let answer = try await calls.post(
            "payments",
            "/internal/payments/\(payment)/refunds",
            [UInt8](JSON.object(body).encoded()),
            headers: key.map { [("Idempotency-Key", $0)] } ?? []
        )
        guard answer.status == .ok, let money = try? JSONDecoder().decode(Answer.self, from: Data(answer.text.utf8))
        else {
            throw StackError("the refund is refused: \(answer.message)")
        }
        Console.line("to go back: \(money.due) won, gone back: \(money.cancelled) won, left: \(money.sold) won")
    }
}
