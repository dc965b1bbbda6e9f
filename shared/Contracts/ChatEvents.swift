package import FoundationEssentials

/// The events of the chat service.
package enum ChatEvents {
    /// The service has erased the data of a withdrawn account (`AuthEvents.AccountWithdrawn`). Published for each
    /// withdrawal event received, even if there was no data.
    package struct AccountErased: Event, Equatable {
        package static let name = "chat.account-erased"

        package var account: AccountID

        package var key: String { String(account) }

        package init(account: AccountID) {
            self.account = account
        }
    }

    /// A message was sent. Notifications pushes it to the devices of a recipient who has no open socket in the room.
    package struct MessageSent: Event, Equatable {
        package static let name = "chat.message-sent"

        package var app: App
        /// The room's id.
        package var room: PublicID
        /// The room's id for the recipient, if each side has its own (With Suhyeon); nil if it equals `room`.
        package var side: PublicID?
        /// The message's number in the room.
        package var sequence: Int64
        package var sender: AccountID
        package var recipient: AccountID
        /// Empty if the message contains only files.
        package var text: String
        package var files: Int
        /// Whether a socket of the recipient was open in the room when the message was written, so that no push is
        /// needed.
        package var isSeen: Bool
        /// Whether the message was marked as read when it was written; nil from a chat replica of an older version, for
        /// which `isSeen` tells it.
        package var isRead: Bool?
        /// When the message was written; nil from a chat replica of an older version.
        package var at: Date?

        package var key: String { room.rawValue }

        package init(
            app: App,
            room: PublicID,
            side: PublicID? = nil,
            sequence: Int64,
            sender: AccountID,
            recipient: AccountID,
            text: String,
            files: Int,
            isSeen: Bool,
            isRead: Bool? = nil,
            at: Date? = nil
        ) {
            self.app = app
            self.room = room
            self.side = side
            self.sequence = sequence
            self.sender = sender
            self.recipient = recipient
            self.text = text
            self.files = files
            self.isSeen = isSeen
            self.isRead = isRead
            self.at = at
        }
    }

    /// A user read the other side's messages by opening the room later. For messages read while they were written, see
    /// `MessageSent.isRead`.
    package struct MessagesRead: Event, Equatable {
        package static let name = "chat.messages-read"

        package var app: App
        /// The reader.
        package var account: AccountID
        /// The room's id.
        package var room: PublicID
        /// The number of the last message that has been read.
        package var through: Int64

        package var key: String { room.rawValue }

        package init(app: App, account: AccountID, room: PublicID, through: Int64) {
            self.app = app
            self.account = account
            self.room = room
            self.through = through
        }
    }

    /// The sender deleted a message for both sides.
    package struct MessageTakenBack: Event, Equatable {
        package static let name = "chat.message-taken-back"

        package var app: App
        /// The room's id.
        package var room: PublicID
        /// The message's number in the room.
        package var sequence: Int64
        /// The other side.
        package var recipient: AccountID

        package var key: String { room.rawValue }

        package init(app: App, room: PublicID, sequence: Int64, recipient: AccountID) {
            self.app = app
            self.room = room
            self.sequence = sequence
            self.recipient = recipient
        }
    }

    /// A room was deleted with all its messages. It has no later events.
    package struct RoomEnded: Event, Equatable {
        package static let name = "chat.room-ended"

        package var app: App
        /// The room's id.
        package var room: PublicID
        /// Both sides.
        package var accounts: [AccountID]

        package var key: String { room.rawValue }

        package init(app: App, room: PublicID, accounts: [AccountID]) {
            self.app = app
            self.room = room
            self.accounts = accounts
        }
    }
}
