import Contracts
import FoundationEssentials
import TestKit
import Testing

@testable import Notifications

/// The queue before the concurrent connections to FCM.
@Suite
struct SendQueueTests {
    private let now = Date(timeIntervalSince1970: 0)

    private func push(_ id: Int64, _ app: App = .anlaka) -> Push {
        Push(
            id: PushID(rawValue: id),
            device: DeviceID(rawValue: id),
            revision: 0,
            app: app,
            account: AccountID(rawValue: id),
            token: "t\(id)",
            message: UUID(),
            content: PushContent(kind: "K", body: "text"),
            sender: nil,
            badge: 0,
            createdAt: now,
            attempts: 0
        )
    }

    @Test
    func add_startsAtMostFreeSlots() {
        var line = SendQueue(slots: 2)
        let first = line.add([push(1)], until: now + 10)
        let second = line.add([push(2), push(3)], until: now + 10)
        let third = line.add([push(4)], until: now + 10)
        #expect([first, second, third] == [1, 1, 0])
        let sent = (0..<4).map { _ in line.next(at: now) { _ in true }.push?.id }
        #expect(sent == [1, 2, 3, 4])
        let end = line.next(at: now) { _ in true }.push
        #expect(end == nil)
        // One slot is free again, the other is still busy.
        let again = line.add([push(5), push(6)], until: now + 10)
        #expect(again == 1)
    }

    @Test
    func next_skipsClosedAppsAndExpiredPushes() {
        var line = SendQueue(slots: 1)
        _ = line.add([push(1)], until: now + 1)
        _ = line.add([push(2, .moup), push(3)], until: now + 10)
        let (next, left) = line.next(at: now + 1) { $0.app == .anlaka }
        #expect(next?.id == 3)
        #expect(left.map(\.id) == [1, 2])
    }
}
