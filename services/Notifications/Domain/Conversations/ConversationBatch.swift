import Contracts
import FoundationEssentials

/// The key of a conversation: recipient and room.
struct ConversationKey: Hashable, Sendable {
    var account: AccountID
    var room: PublicID
}

/// Conversations during the processing of a batch of events: their new states and the pushes to queue.
struct ConversationBatch: Sendable {
    private var conversations: [ConversationKey: Conversation]
    private var changed: Set<ConversationKey> = []
    private(set) var orders: [ScheduledPush] = []
    /// Conversations whose pending pushes are to be removed.
    private(set) var read: [ConversationKey] = []

    init(_ conversations: [Conversation]) {
        self.conversations = Dictionary(conversations.map { ($0.key, $0) }) { first, _ in first }
    }

    /// The changed states, in the order of their keys.
    var touched: [Conversation] {
        changed.compactMap { conversations[$0] }.sorted { ($0.account, $0.room) < ($1.account, $1.room) }
    }

    mutating func receive(_ message: ChatEvents.MessageSent, from sender: String?, at now: Date) {
        let key = ConversationKey(account: message.recipient, room: message.room)
        guard !message.isSeen else { return read(key, through: message.sequence) }
        var conversation = conversations[key] ?? Conversation(key)
        let telling = conversation.receive(message.sequence, writtenAt: message.at ?? now, at: now)
        conversations[key] = conversation
        changed.insert(key)
        switch telling {
        case .not:
            break
        case .atOnce:
            orders.append(order(for: conversation, ChatText.body(of: message), message, from: sender, due: now))
        case .together(let count, let at):
            var order = order(for: conversation, ChatText.together(count), message, from: sender, due: at)
            order.grouping = order.content.collapse
            orders.removeAll { $0.account == order.account && $0.grouping == order.grouping }
            orders.append(order)
        }
    }

    mutating func read(_ key: ConversationKey, through sequence: Int64) {
        var conversation = conversations[key] ?? Conversation(key)
        conversation.read(through: sequence)
        conversations[key] = conversation
        changed.insert(key)
        orders.removeAll { $0.account == key.account && $0.content.thread == key.room.rawValue }
        if !read.contains(key) { read.append(key) }
    }

    private func order(
        for conversation: Conversation,
        _ body: String,
        _ message: ChatEvents.MessageSent,
        from sender: String?,
        due: Date
    ) -> ScheduledPush {
        ScheduledPush(
            account: message.recipient,
            content: PushContent(
                kind: PushKind.chatMessage,
                subtitle: sender,
                body: body,
                data: ["room_id": (message.side ?? message.room).rawValue, "type": PushKind.chatMessage],
                thread: message.room.rawValue,
                collapse: "\(message.room)-\(conversation.firstSequence)"
            ),
            // Anlaka enforces blocks when a message is written.
            sender: message.app == .withsuhyeon ? message.sender : nil,
            due: due
        )
    }
}

extension Conversation {
    var key: ConversationKey { ConversationKey(account: account, room: room) }

    init(_ key: ConversationKey) {
        self.init(account: key.account, room: key.room)
    }
}
