import Logging
import ServiceHost

/// Chat: what two people say to each other, for Anlaka and With Suhyeon. No message is lost, doubled or out of order.
///
/// **Owns** rooms, messages and what became of them, who has read how far, files that were sent, whom Anlaka's people have
/// blocked, and which sockets look into which rooms.
///
/// **Tables** (schema `chat`): `people` (from auth); `rooms`, `members`, `messages`, `changes`; `blocks`; `copies`,
/// `presences` (unlogged); `joined`; `uploads`; inbox and outbox.
///
/// **Consumes** `auth.account-registered`, `auth.profile-changed`, `auth.session-revoked`, `auth.account-withdrawn` and
/// `community.companion-post-deleted`. **Publishes** `chat.account-erased` and, for notifications,
/// `chat.message-sent` and `chat.messages-read`. **Answers** other processes below `/internal` (`ChatAPI`).
///
/// **One sequence a room.** Whatever happens in a room, a message, a change to one, takes the room's next number under a lock
/// on the room's row (`Domain/Messages/RoomDesk.swift`). So there are no gaps, and the order of the numbers is the order in
/// which everybody sees it. A message that its sender's phone has named is written once, however often it is sent.
///
/// **Writing** goes in batches (`Domain/Messages/MessageWriter.swift`): what comes while a transaction is under way goes
/// together into the next. Nobody is answered, and nobody told, before it has committed.
///
/// **Sockets** (`Live/`): `LiveFeed` knows of every room that somebody here looks into up to which number it has told, hears
/// by NOTIFY that there is more, and reads what is missing; so all sockets of all copies show the same. Three wires hang on
/// it: Anlaka's Socket.IO, With Suhyeon's bare JSON, and STOMP for new clients, who read on from any number.
///
/// Every URL is in `Routes/Routes.swift`; `ChatService+build.swift` puts the pieces together.
@main
struct ChatService {
    static func main() async {
        await ServiceHost.run(
            "chat",
            read: { try ChatConfiguration(&$0) },
            logLevel: \.host.logLevel,
            build: { try buildChat($0, logger: $1) }
        )
    }
}
