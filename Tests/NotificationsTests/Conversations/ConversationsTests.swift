import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing

@testable import Notifications

/// Pushes for chat messages.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)))
struct ConversationsTests {
    let fixture = PushFixture()

    private func addProfile() async throws {
        try await fixture.database.execute(
            """
            INSERT INTO people (account_id, app, public_id, nickname)
            VALUES (9, 'anlaka', \(String(repeating: "9", count: 24)), '하루')
            """
        )
        try await fixture.register(1, "a")
        try await fixture.register(1, "b")
    }

    @Test
    func push_hasSenderTextRoomAndBadge() async throws {
        try await addProfile()
        try await fixture.write(7, "안녕하세요")
        try await fixture.sending { try await eventually { try await fixture.waiting() == 0 } }
        let push = try #require(fixture.phones.tries.first { $0.token == "a" })
        #expect(push.content.title == nil)
        #expect(push.content.subtitle == "하루")
        #expect(push.content.body == "안녕하세요")
        #expect(push.content.data == ["room_id": "a1", "type": "CHAT_MESSAGE"])
        #expect(push.content.thread == "a1")
        #expect(push.content.collapse == "a1-7")
        #expect(push.badge == 1)
        #expect(fixture.phones.tries.count == 2)
    }

    @Test
    func messagesWithinThreeSeconds_areTwoPushes() async throws {
        try await addProfile()
        for sequence in 1...5 { try await fixture.write(Int64(sequence), "m\(sequence)") }
        try await fixture.write(1, "elsewhere", in: "b2")
        try await fixture.sending {
            try await eventually { fixture.phones.shown(on: "a").count == 2 }
            fixture.clock.advance(by: 3)
            try await eventually { fixture.phones.shown(on: "a").count == 3 }
            try await fixture.write(6, "m6")
            fixture.clock.advance(by: 3)
            try await eventually { try await fixture.waiting() == 0 }
        }
        let together = ["새로운 메시지가 5개 있습니다.", "새로운 메시지가 6개 있습니다."]
        #expect(fixture.phones.shown(on: "a") == ["m1", "elsewhere"] + together)
        #expect(fixture.phones.shown(on: "b") == fixture.phones.shown(on: "a"))
        let collapses = Set(fixture.phones.tries.filter { $0.content.thread == "a1" }.map(\.content.collapse))
        #expect(collapses == ["a1-1"])
        #expect(fixture.phones.tries.last?.badge == 7)
    }

    @Test
    func seenMessages_areNotPushed_andCancelQueuedPushes() async throws {
        try await addProfile()
        try await fixture.write(1, "m1", isSeen: true)
        try await fixture.write(2, "m2")
        try await fixture.write(3, "m3")
        try await fixture.write(4, "m4", isSeen: true)
        #expect(try await fixture.waiting() == 0)
        try await fixture.write(5, "m5")
        #expect(try await fixture.waiting() == 2)
        try await fixture.read(through: 5)
        #expect(try await fixture.waiting() == 0)
        try await fixture.sending {
            try await fixture.write(6, "m6")
            try await eventually { fixture.phones.shown(on: "b") == ["m6"] }
        }
        #expect(fixture.phones.tries.last?.badge == 1)
    }

    /// The texts of the waiting pushes of a device, in their order.
    private func texts(on token: String = "a") async throws -> [String] {
        try await fixture.database.all(
            """
            SELECT body FROM pushes p JOIN devices d ON d.id = p.device_id WHERE d.token = \(token)
            ORDER BY p.due_at, p.id
            """
        ) { try $0.decode(String.self) }
    }

    private func lease() async throws {
        try await fixture.database.execute("UPDATE mailboxes SET lease = gen_random_uuid()")
    }

    @Test
    func partialRead_removesWaitingPushesOfReadMessagesOnly() async throws {
        try await addProfile()
        for sequence in 1...4 { try await fixture.write(Int64(sequence), "m\(sequence)") }
        #expect(try await texts() == ["m1", "새로운 메시지가 4개 있습니다."])
        // The first push is on its way, the second is not.
        try await lease()
        try await fixture.read(through: 1)
        #expect(try await texts() == ["새로운 메시지가 3개 있습니다."])
        try await fixture.takeBack(3)
        #expect(try await texts(on: "b") == ["새로운 메시지가 2개 있습니다."])
        try await fixture.takeBack(2)
        try await fixture.takeBack(4)
        #expect(try await fixture.waiting() == 0)
    }

    @Test
    func pushOnItsWay_isNotSentAgainForAPartialRead() async throws {
        try await addProfile()
        for sequence in 1...3 { try await fixture.write(Int64(sequence), "m\(sequence)") }
        try await fixture.database.execute("DELETE FROM pushes WHERE grouping IS NULL")
        fixture.clock.advance(by: 3)
        try await lease()
        try await fixture.read(through: 2)
        let revisions = try await fixture.database.all("SELECT revision FROM pushes") { try $0.decode(Int.self) }
        #expect(revisions == [1, 1])
        #expect(try await texts() == ["새로운 메시지가 3개 있습니다."])
    }

    @Test
    func seenButUnreadMessage_isCountedAndNotPushed() async throws {
        try await addProfile()
        try await fixture.write(1, "m1")
        try await fixture.write(2, "m2", isSeen: true, isRead: false)
        #expect(try await fixture.waiting() == 0)
        try await fixture.write(3, "m3")
        try await fixture.sending { try await eventually { try await fixture.waiting() == 0 } }
        #expect(fixture.phones.shown(on: "a") == ["m3"])
        #expect(fixture.phones.tries.last?.badge == 3)
    }

    @Test
    func withdrawnRecipient_hasNoConversation() async throws {
        try await fixture.database.execute(
            """
            INSERT INTO people (account_id, app, public_id, nickname, withdrawn_at)
            VALUES (1, 'anlaka', \(String(repeating: "1", count: 24)), '', now())
            """
        )
        try await fixture.write(1)
        try await fixture.read(through: 1)
        try await fixture.takeBack(1)
        try await fixture.end([1, 9])
        let accounts = try await fixture.database.all("SELECT account_id FROM conversations") {
            try $0.decode(AccountID.self)
        }
        #expect(accounts == [9])
    }

    @Test
    func filesOfUnknownSender_arePushedWithoutName() async throws {
        try await fixture.register(1, "a")
        try await fixture.write(1, "")
        try await fixture.sending { try await eventually { try await fixture.waiting() == 0 } }
        #expect(fixture.phones.shown(on: "a") == ["파일을 보냈습니다."])
        #expect(fixture.phones.tries.first?.content.subtitle == nil)
    }

    @Test
    func batchedEvents_equalSingleEvents() async throws {
        try await addProfile()
        func message(_ sequence: Int64, _ room: PublicID, isSeen: Bool = false) -> ChatEvents.MessageSent {
            ChatEvents.MessageSent(
                app: .anlaka,
                room: room,
                sequence: sequence,
                sender: 9,
                recipient: 1,
                text: "\(room)\(sequence)",
                files: 0,
                isSeen: isSeen
            )
        }
        let batch = [
            message(1, "a"), message(1, "b"), message(2, "a"), message(3, "a"), message(2, "b", isSeen: true),
            message(3, "b"),
        ]
        try await fixture.database.transaction { try await fixture.conversations.receive(batch, in: $0) }
        #expect(try await texts() == ["a1", "b3", "새로운 메시지가 3개 있습니다."])
    }
}
