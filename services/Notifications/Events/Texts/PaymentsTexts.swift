import Contracts
import FoundationEssentials
import Values

extension InAppNotificationDraft {
    /// A payment or refund of an order.
    init(_ event: PaymentsEvents.OrderSettled) {
        let name = ShownText.line(event.name)
        let sum = "\(event.amount.grouped)원"
        let (title, body) =
            switch event.outcome {
            case .paid: ("결제가 완료되었습니다", "\(name) \(sum)을 결제했습니다.")
            case .refunded: ("결제가 취소되었습니다", "\(name) \(sum)을 돌려 드립니다.")
            }
        // A code of Seoul Culture's shipped app contains its app key, which must not be disclosed (Culture contract
        // 4.5).
        let data = event.app == .culture ? [:] : ["order_code": event.order]
        self.init(
            app: event.app,
            account: event.account,
            kind: PushKind.payment,
            title: title,
            body: body,
            data: data,
            source: UUID(derivedFrom: ["order", event.order, event.outcome.rawValue])
        )
    }
}
