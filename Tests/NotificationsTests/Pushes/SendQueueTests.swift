import Contracts
import FoundationEssentials
import Testing

@testable import Notifications

@Suite("The line before the ways to FCM")
struct SendQueueTests {
    private let now = Date(timeIntervalSince1970: 0)

    private func push(_ id: Int64, _ app: App = .anlaka) -> Push {
        Push(
            id: id,
            device: id,
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

    @Test("No more ways than there are, and no more than there is something for")
    func ways() {
        var line = SendQueue(ways: 2)
        let first = line.add([push(1)], until: now + 10)
        let second = line.add([push(2), push(3)], until: now + 10)
        let third = line.add([push(4)], until: now + 10)
        #expect([first, second, third] == [1, 1, 0])
        let sent = (0..<4).map { _ in line.next(at: now) { _ in true }.push?.id }
        #expect(sent == [1, 2, 3, 4])
        let end = line.next(at: now) { _ in true }.push
        #expect(end == nil)
        // One way is closed, the other is busy still.
        let again = line.add([push(5), push(6)], until: now + 10)
        #expect(again == 1)
    }

    @Test("Who may not go, or has waited too long, is left")
    func left() {
        var line = SendQueue(ways: 1)
        _ = line.add([push(1)], until: now + 1)
        _ = line.add([push(2, .moup), push(3)], until: now + 10)
        let (next, left) = line.next(at: now + 1) { $0.app == .anlaka }
        #expect(next?.id == 3)
        #expect(left.map(\.id) == [1, 2])
    }
}
