import Contracts
import FoundationEssentials
import TypedText

extension AlarmDraft {
    /// What becomes of what somebody has paid.
    init(_ event: PaymentsEvents.OrderSettled) {
        let name = ShownText.line(event.name)
        let sum = "\(event.amount.grouped)원"
        let (title, body) =
            switch event.outcome {
            case .paid: ("결제가 완료되었습니다", "\(name) \(sum)을 결제했습니다.")
            case .refunded: ("결제가 취소되었습니다", "\(name) \(sum)을 돌려 드립니다.")
            }
        self.init(
            app: event.app,
            account: event.account,
            kind: PushKind.payment,
            title: title,
            body: body,
            data: ["order_code": event.order],
            source: UUID(derivedFrom: ["order", event.order, event.outcome.rawValue])
        )
    }
}
