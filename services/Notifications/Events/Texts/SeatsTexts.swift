import Contracts

extension InAppNotificationDraft {
    /// An alert to a SeatCatcher passenger (contract 4.12).
    init(_ event: SeatsEvents.PassengerAlerted) {
        let (title, body) = event.kind.text(TextArguments(event.arguments))
        self.init(
            app: .seatcatcher,
            account: event.account,
            kind: event.kind.rawValue,
            title: title,
            body: body,
            data: event.payload.map { ["payload": $0] } ?? [:],
            isSeen: event.seen,
            source: event.id
        )
    }
}

extension SeatsEvents.AlertKind {
    fileprivate func text(_ arguments: TextArguments) -> (title: String, body: String) {
        switch self {
        case .hello:
            return ("반갑습니다", "SeatCatcher와 함께 편안한 자리를 찾아보세요.")
        case .mostUsedTime:
            return ("곧 지하철을 탈 시간이에요", "자주 타는 시간입니다. 앉을 자리를 미리 찾아보세요.")
        case .arrivalHandled:
            return ("목적지에 도착했어요", "앉아 있던 자리를 비웠습니다.")
        case .seatRequestReceived:
            let name = arguments[0].map { "\($0)님" } ?? "다른 승객"
            let price = arguments[1].map { " \($0) 크레딧에" } ?? ""
            return ("\(name)의 자리 요청", "\(name)이\(price) 자리를 양보해 달라고 합니다.")
        case .seatRequestAccepted:
            let name = arguments[0].map { "\($0)님이" } ?? "상대방이"
            let station = arguments[1].map { " \($0)에서 내릴 때 자리를 이어받으세요." } ?? " 내릴 때 자리를 이어받으세요."
            return ("자리 요청이 수락되었어요", "\(name) 자리를 양보하기로 했습니다.\(station)")
        case .seatRequestRejected:
            return ("자리 요청이 거절되었어요", "다른 자리를 찾아보세요.")
        case .seatRequestAcceptedArrival:
            return ("자리가 비었어요", "양보하기로 한 분이 내렸습니다. 자리에 앉아 주세요.")
        case .seatExchangeSuccess:
            let price = arguments[0].map { "\($0) 크레딧을" } ?? "크레딧을"
            let name = arguments[1].map { "\($0)님에게" } ?? "다른 승객에게"
            return ("자리를 양보했어요", "\(name) 자리를 양보하고 \(price) 받았습니다.")
        case .seatRequestCanceled:
            let name = arguments[0].map { "\($0)님이" } ?? "상대방이"
            return ("자리 요청이 취소되었어요", "\(name) 요청을 취소했습니다.")
        }
    }
}
