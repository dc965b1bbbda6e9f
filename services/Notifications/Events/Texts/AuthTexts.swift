import Contracts
import FoundationEssentials

extension InAppNotificationDraft {
    /// A sign-in on a new device.
    init(_ event: AuthEvents.NewDeviceSignedIn) {
        let device = Self.parenthesized(event.device)
        self.init(
            app: event.app,
            account: event.account,
            kind: PushKind.newDevice,
            title: "새로운 기기에서 로그인했습니다",
            body: "새로운 기기\(device)에서 로그인했습니다. 본인이 아니라면 그 기기를 로그아웃해 주세요.",
            data: ["session_id": event.session],
            session: event.session,
            source: UUID(derivedFrom: ["new device", event.session])
        )
    }

    /// The use of a session's tokens by an unfamiliar device. It is pushed to the devices of that session, too.
    init(_ event: AuthEvents.SessionUsedElsewhere) {
        let device = Self.parenthesized(event.device)
        self.init(
            app: event.app,
            account: event.account,
            kind: PushKind.newDevice,
            title: "다른 기기에서 로그인이 사용되었습니다",
            body: "다른 기기\(device)에서 회원님의 로그인이 사용되었습니다. 본인이 아니라면 로그아웃해 주세요.",
            data: ["session_id": event.session],
            source: UUID(derivedFrom: ["used elsewhere", event.session, event.device ?? ""])
        )
    }

    private static func parenthesized(_ device: String?) -> String {
        device.map { ShownText.line($0) }.flatMap { $0.isEmpty ? nil : " (\($0))" } ?? ""
    }
}
