package import FoundationEssentials

/// What the chat service announces.
package enum ChatEvents {
    /// The service has let go of whatever was an account's, after its owner left (`AuthEvents.AccountWithdrawn`). Said
    /// each time that it is told, also when there was nothing.
    package struct AccountErased: Event, Equatable {
        package static let name = "chat.account-erased"

        package var account: Int64

        package var key: String { String(account) }

        package init(account: Int64) {
            self.account = account
        }
    }

    /// Somebody wrote to somebody. Notifications pushes it to the devices of who is not there.
    package struct MessageSent: Event, Equatable {
        package static let name = "chat.message-sent"

        package var app: App
        /// 24 hexadecimal digits: what the room is called.
        package var room: String
        /// 24 hexadecimal digits: what the recipient's app calls it, where it has a name for each side (With Suhyeon); nil where
        /// that is `room`.
        package var side: String?
        /// The message's number in the room.
        package var sequence: Int64
        package var sender: Int64
        package var recipient: Int64
        /// Empty when only files were sent.
        package var text: String
        package var files: Int
        /// A socket of the recipient looked into the room when it was written, so that no push is needed.
        package var isSeen: Bool
        /// When it was written; nil from a copy of chat that does not say so yet.
        package var at: Date?

        package var key: String { room }

        package init(
            app: App,
            room: String,
            side: String? = nil,
            sequence: Int64,
            sender: Int64,
            recipient: Int64,
            text: String,
            files: Int,
            isSeen: Bool,
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
            self.at = at
        }
    }

    /// Somebody has read what the other wrote, by looking into the room afterwards. Of messages that they saw being written
    /// `MessageSent.isSeen` tells.
    package struct MessagesRead: Event, Equatable {
        package static let name = "chat.messages-read"

        package var app: App
        /// Who has read.
        package var account: Int64
        /// 24 hexadecimal digits: what the room is called.
        package var room: String
        /// The number in the room up to which they have read everything.
        package var through: Int64

        package var key: String { room }

        package init(app: App, account: Int64, room: String, through: Int64) {
            self.app = app
            self.account = account
            self.room = room
            self.through = through
        }
    }
}
