import Hummingbird
import ServiceKit

/// `POST|PUT /payments/prepare` and `GET /payments/prepare/{merchant_uid}`: the amount required in the payment window.
struct PortOnePrepareRoutes: Sendable {
    let prepared: PortOnePrepared

    func add(to group: RouterGroup<SandboxContext>) {
        group.post("prepare", use: register)
        group.put("prepare", use: change)
        group.get("prepare/:merchant_uid", use: amount)
    }

    private struct Preparation: Encodable {
        var merchantUid: String
        var amount: PortOneAmount
    }

    private static let unknown = PortOneError(.notFound, "사전등록된 결제금액이 존재하지 않습니다.")

    private func register(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let preparation = try await preparation(request, context)
        guard prepared.register(preparation.amount, for: preparation.merchantUid) else {
            throw PortOneError.declined("이미 등록된 merchant_uid입니다.")
        }
        return try .portOne(preparation)
    }

    private func change(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let preparation = try await preparation(request, context)
        guard prepared.change(preparation.merchantUid, to: preparation.amount) else { throw Self.unknown }
        return try .portOne(preparation)
    }

    private func preparation(_ request: Request, _ context: SandboxContext) async throws -> Preparation {
        let fields = try await PortOneFields(request, context)
        return try Preparation(merchantUid: fields.merchantUid(), amount: fields.requiredAmount("amount"))
    }

    private func amount(_ request: Request, _ context: SandboxContext) throws -> Response {
        guard let merchantUid = context.parameters.get("merchant_uid")?.percentDecoded,
            let amount = prepared.amount(of: merchantUid)
        else { throw Self.unknown }
        return try .portOne(Preparation(merchantUid: merchantUid, amount: amount))
    }
}
