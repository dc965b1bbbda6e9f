import Logging
import ServiceKit

/// Chat: one-to-one chat rooms of Anlaka and With Suhyeon. Messages are durable, ordered and free of duplicates.
///
/// **Owns** rooms, messages and their changes, read positions, uploaded files, Anlaka's user blocks, and the presence
/// of sockets in rooms.
///
/// **Tables** (schema `chat`): `people` (from auth); `rooms`, `members`, `messages`, `changes`; `blocks`; `copies`,
/// `presences` (unlogged); `joined`; `revoked_sessions`; `uploads`; inbox and outbox.
///
/// **Consumes** `auth.account-registered`, `auth.profile-changed`, `auth.session-revoked`, `auth.account-withdrawn` and
/// `community.companion-post-deleted`. **Publishes** `chat.account-erased` and, for notifications, `chat.message-sent`,
/// `chat.messages-read`, `chat.message-taken-back` and `chat.room-ended`. **Answers** other services below `/internal` (`ChatAPI`),
/// and the console at `/internal/operators/rooms` (`OperatorsAPI+room`): rooms with their order and readers, without texts.
///
/// **One sequence per room.** Every message and every change to a message takes the room's next number under a lock on
/// the room's row (`Domain/Messages/LockedRoom.swift`). The numbers have no gaps, and all clients see events in their
/// order. A message with a client-supplied ID is written once, however often it is sent.
///
/// **Writing** is batched (`Domain/Messages/MessageWriter.swift`): messages that arrive while a transaction is running
/// go together into the next one, which leaves out the rooms that others have locked. Responses and live events are sent
/// only after the commit.
///
/// **Sockets** (`Live/`): new events are announced after the commit, and every replica reads those that it has not
/// delivered, so the sockets of all replicas receive the same events. For Anlaka's Socket.IO and for STOMP, with which
/// new clients resume from any number, `LiveFeed` keeps a cursor of every subscribed room. With Suhyeon's sockets for
/// plain JSON frames have cursors of their own, since each shows one room (`WithSuhyeonSocketState`).
///
/// **What is kept.** All tables with rows of an account lose them when it withdraws.
///
/// | Table | Bound | Deleted by |
/// |---|---|---|
/// | `rooms`, `members` | rooms without a message 90 days, others while a member is left | `RoomRetention`, daily |
/// | `messages`, `changes` | with their room; a message taken back keeps its numbers without text and files | cascade |
/// | `uploads` | a day, unless a message refers to them | `Uploads.collection` |
/// | `blocks`, `joined`, `people` | pairs, and one row an account | `Withdrawal` |
/// | `copies`, `presences` | 12 seconds without a heartbeat | `Presences`, every two seconds |
/// | `revoked_sessions` | an hour | `Sessions`, with the next revocation |
/// | inbox, outbox | as all services | `Inbox`, `OutboxRelay` |
///
/// The routes are in `Routes/Routes.swift`; `ChatService+build.swift` assembles the service.
@main
struct ChatService {
    static func main() async {
        await ServiceHost.run(
            "chat",
            "chat rooms of Anlaka and With Suhyeon",
            read: { try ChatConfiguration(&$0) },
            build: { try buildChat($0, logger: $1) }
        )
    }
}
