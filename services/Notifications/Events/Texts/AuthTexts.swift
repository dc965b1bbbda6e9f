import Contracts
import FoundationEssentials

extension InAppNotificationDraft {
    /// A sign-in on a new device.
    init(_ event: AuthEvents.NewDeviceSignedIn) {
        let device = event.device.map { ShownText.line($0) }.flatMap { $0.isEmpty ? nil : " (\($0))" } ?? ""
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
}
