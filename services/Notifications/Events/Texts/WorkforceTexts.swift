import Contracts

extension InAppNotificationDraft {
    /// An alert to a member of a MOUP workplace (contract 4, notification kinds).
    init(_ event: WorkforceEvents.MemberAlerted) {
        let (title, body) = event.kind.text(TextArguments(event.arguments))
        var data = ["destination": event.kind.destination.rawValue, "content": body]
        data["workplaceId"] = event.workplace.map(String.init)
        data["workerId"] = event.worker.map(String.init)
        data["workId"] = event.shift.map(String.init)
        data["routineId"] = event.routine.map(String.init)
        self.init(
            app: .moup,
            account: event.account,
            sender: event.sender,
            kind: event.kind.rawValue,
            title: title,
            body: body,
            data: data,
            idKey: "notificationId",
            source: event.id
        )
    }
}

/// The screen that the app opens when a push is tapped.
private enum Destination: String {
    case notificationList, routineDetail, workDetail, home
}

extension WorkforceEvents.AlertKind {
    fileprivate var destination: Destination {
        switch self {
        case .joinRequested, .joinAccepted, .joinRejected, .removed, .workerLeft, .workplaceDeleted: .notificationList
        case .shiftsAdded, .shiftsChanged, .shiftsRemoved: .notificationList
        case .shiftDue: .workDetail
        case .payDay: .home
        case .routineDue: .routineDetail
        }
    }

    fileprivate func text(_ arguments: TextArguments) -> (title: String, body: String) {
        let first = arguments[0]
        let workplace = first ?? "근무지"
        let days = ShownDays(first: arguments[1], count: arguments[2])
        return switch self {
        case .joinRequested:
            (
                "근무지 참가 요청",
                "\(first.map { "\($0)님" } ?? "새 근무자")이 \(arguments[1] ?? "근무지")에 참가를 요청했습니다."
            )
        case .joinAccepted: ("근무지 참가 승인", "\(workplace)의 근무자가 되었습니다.")
        case .joinRejected: ("근무지 참가 거부", "\(workplace)에서 참가 요청을 거부했습니다.")
        case .payDay: ("급여일", "오늘은 \(workplace)의 급여일입니다.")
        case .removed: ("근무지 제외", "\(workplace)의 근무자에서 제외되었습니다.")
        case .workerLeft:
            ("근무지 나감", "\(first.map { "\($0)님" } ?? "근무자 한 명")이 \(arguments[1] ?? "근무지")에서 나갔습니다.")
        case .workplaceDeleted: ("근무지 삭제", "\(workplace)이(가) 삭제되었습니다.")
        case .shiftsAdded: ("근무 추가", "\(workplace)에 \(days.text) 근무가 추가되었습니다.")
        case .shiftsChanged: ("근무 변경", "\(workplace)의 \(days.text) 근무가 변경되었습니다.")
        case .shiftsRemoved: ("근무 삭제", "\(workplace)의 \(days.text) 근무가 삭제되었습니다.")
        case .shiftDue:
            ("근무 알림", "\(arguments[1].map { "\($0)에 " } ?? "곧 ")\(workplace) 근무가 시작됩니다.")
        case .routineDue:
            ("루틴 알림", "\(arguments[1].map { "\($0)에서 " } ?? "")\(first ?? "루틴")을(를) 시작할 시간입니다.")
        }
    }
}

/// The days of changed shifts: the first, as `11월 5일`, and the number of further ones.
private struct ShownDays {
    let text: String

    /// - Parameters:
    ///   - first: `yyyy-MM-dd`.
    ///   - count: Number of days, including the first.
    init(first: String?, count: String?) {
        let parts = first?.split(separator: "-").compactMap { Int($0) } ?? []
        let day = parts.count == 3 ? "\(parts[1])월 \(parts[2])일" : first ?? "예정된"
        let more = count.flatMap { Int($0) }.map { $0 - 1 } ?? 0
        text = more > 0 ? "\(day) 외 \(more)건의" : day
    }
}
