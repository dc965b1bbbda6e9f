import Contracts
import FoundationEssentials
import NIOCore
import Profiles
import Testing

@testable import Chat

/// What a socket shows, and what is known of the phone, as plain values.
@Suite struct WithSuhyeonSubscriptionStateTests {
    private static let now = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private static func watch(shownThrough: Int64) -> WithSuhyeonRoomSubscription {
        let person = Person(account: 1, app: .withsuhyeon, publicID: "", nickname: "하루")
        let room = Room(id: 5, publicID: PublicID.random(), app: .withsuhyeon, first: 1, second: 9)
        let view = RoomView(
            room: room,
            post: nil,
            createdAt: .now,
            updatedAt: .now,
            lastSequence: 0,
            ownCopy: "",
            peerCopy: "",
            own: person,
            peer: person,
            readThrough: 0,
            peerReadThrough: 0,
            unreadCount: 0,
            lastMessage: nil
        )
        return WithSuhyeonRoomSubscription(view, shownThrough: shownThrough)
    }

    private static func event(_ sequence: Int64) -> RoomEvent {
        let message = Message(room: 5, sequence: sequence, sender: 9, content: "", createdAt: .now)
        return RoomEvent(sequence: sequence, kind: .sent, at: .now, message: message)
    }

    @Test func whatIsHeardEarlyWaitsAndNothingIsShownTwice() {
        var watch = Self.watch(shownThrough: 2)
        for sequence in [4, 5] as [Int64] { watch.hear(Self.event(sequence)) }
        watch.notice(through: 5)
        var shown = [watch.takeNoticed()]
        // A page may hold more than was asked for.
        shown.append(watch.open([3, 4, 5].map(Self.event), through: 4))
        shown.append(watch.takeNoticed())
        watch.hear(Self.event(5))
        watch.hear(Self.event(6))
        shown.append(watch.takeNoticed())
        watch.notice(through: 6)
        shown.append(watch.takeNoticed())
        #expect(shown.map { $0.map(\.sequence) } == [[], [3, 4], [5], [], [6]])
    }

    @Test func onlyWhatCameAfterThePingTellsThatItHasArrived() {
        var watch = Self.watch(shownThrough: 0)
        watch.wrote(Self.event(1), isShown: true)
        var asks = [watch.asks(at: Self.now)]
        watch.wrote(Self.event(2), isShown: true)
        asks.append(watch.asks(at: Self.now))
        #expect(asks == [true, false])
        var answers = [watch.heard(at: Self.now), watch.heard(at: Self.now + .milliseconds(1))]
        #expect(answers == [false, true])
        #expect(watch.confirmed == 1)
        asks = [watch.asks(at: Self.now + .milliseconds(2))]
        answers = [watch.heard(at: Self.now + .milliseconds(3))]
        #expect(asks == [true] && answers == [true])
        #expect(watch.confirmed == 2)
        // One's own needs no telling.
        watch.wrote(Self.event(3), isShown: false)
        #expect(watch.confirmed == 3)
        asks = [watch.asks(at: Self.now + .milliseconds(4))]
        #expect(asks == [false])
    }

    @Test func newsAreWhatThePhoneCannotKnow() {
        var news = WithSuhyeonUnreadTracker()
        news.compare([(room: 1, last: 5, before: 5), (room: 2, last: 7, before: 4)])
        #expect(news.heard == [2: 7])
        #expect(news.questions.map(\.after) == [4])
        news.see(2, through: 7)
        #expect(news.heard.isEmpty)
        news.hear(2, through: 7)
        #expect(news.heard.isEmpty)
        news.hear(3, through: 1)
        #expect(news.heard == [3: 1])
        // What was missed later counts from where the phone is, not from where it began.
        news.compare([(room: 2, last: 9, before: 4)])
        #expect(news.questions.first { $0.room == 2 }?.after == 7)
    }

    @Test func fiftyFramesASecondMayCome() {
        var now = Self.now
        var allowance = FrameAllowance(now: now)
        var taken = (0...500).map { _ in allowance.take(now: now) }
        #expect(taken == Array(repeating: true, count: 500) + [false])
        taken = (0..<1000).map { _ in
            now = now + .milliseconds(21)
            return allowance.take(now: now)
        }
        #expect(!taken.contains(false))
        taken = (0..<1000).map { _ in
            now = now + .milliseconds(10)
            return allowance.take(now: now)
        }
        #expect(taken.contains(false))
    }

    @Test func aTicketIsTheFirstUserID() {
        #expect(WithSuhyeonEndpoint.ticket("/chat?userId=12") == 12)
        #expect(WithSuhyeonEndpoint.ticket("/chat?a=1&userId=12&userId=13") == 12)
        #expect(WithSuhyeonEndpoint.ticket("/chat?userId=9223372036854775807") == .max)
        for path in ["/chat", "/chat?", "/chat?userId", "/chat?userId=0", "/chat?userId=-3", "/chat?xuserId=12"] {
            #expect(WithSuhyeonEndpoint.ticket(path) == nil)
        }
    }
}
