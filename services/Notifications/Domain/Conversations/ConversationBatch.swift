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
    private var scheduled: [ScheduledPush] = []
    /// Conversations in which messages are no longer to be pushed, with the number up to which the recipient sees the
    /// room.
    private var seen: [ConversationKey: Int64] = [:]

    init(_ conversations: [Conversation]) {
        self.conversations = Dictionary(conversations.map { ($0.key, $0) }) { first, _ in first }
    }

    /// The changed states, in the order of their keys.
    var touched: [Conversation] {
        changed.compactMap { conversations[$0] }.sorted { ($0.account, $0.room) < ($1.account, $1.room) }
    }

    /// The conversations whose waiting pushes are to be revised.
    var revised: [ConversationKey] { Array(seen.keys) }

    /// The pushes to queue. Messages that were read, seen or taken back later in the batch are left out.
    var orders: [ScheduledPush] {
        scheduled.compactMap { order in
            guard let messages = order.messages else { return order }
            let key = order.key
            let count = conversations[key]?.count(of: messages, after: seen[key] ?? 0) ?? 0
            guard count > 0 else { return nil }
            var order = order
            if order.grouping != nil { order.content.body = ChatText.together(count) }
            return order
        }
    }

    mutating func receive(_ message: ChatEvents.MessageSent, from sender: String?, at now: Date) {
        let key = ConversationKey(account: message.recipient, room: message.room)
        guard !(message.isRead ?? message.isSeen) else { return read(key, through: message.sequence) }
        guard !message.isSeen else {
            change(key, isSeenThrough: message.sequence) { $0.see(message.sequence) }
            return
        }
        var conversation = conversations[key] ?? Conversation(key)
        let telling = conversation.receive(message.sequence, writtenAt: message.at ?? now, at: now)
        conversations[key] = conversation
        changed.insert(key)
        switch telling {
        case .not:
            break
        case .atOnce:
            let messages = PushedMessages(
                groupStart: message.sequence,
                first: message.sequence,
                last: message.sequence
            )
            scheduled.append(order(for: messages, ChatText.body(of: message), message, from: sender, due: now))
        case .together(let at):
            let messages = PushedMessages(
                groupStart: conversation.firstSequence,
                first: message.sequence,
                last: message.sequence
            )
            var order = order(for: messages, "", message, from: sender, due: at)
            order.grouping = order.content.collapse
            if let index = scheduled.firstIndex(where: { $0.key == key && $0.grouping == order.grouping }) {
                let earlier = scheduled.remove(at: index)
                order.messages?.first = earlier.messages?.first ?? message.sequence
            }
            scheduled.append(order)
        }
    }

    mutating func read(_ key: ConversationKey, through sequence: Int64) {
        change(key) { $0.read(through: sequence) }
    }

    mutating func takeBack(_ sequence: Int64, in key: ConversationKey) {
        change(key) { $0.takeBack(sequence) }
    }

    /// What is to become of waiting pushes: those to delete, and the new texts of others.
    func revision(of waiting: [WaitingPush]) -> (obsolete: [WaitingPush], changed: [WaitingPush]) {
        var (obsolete, changed): ([WaitingPush], [WaitingPush]) = ([], [])
        for var push in waiting {
            let count = push.messages.flatMap { conversations[push.room]?.count(of: $0, after: seen[push.room] ?? 0) }
            guard let count, count > 0 else {
                obsolete.append(push)
                continue
            }
            let body = push.isGrouped ? ChatText.together(count) : push.body
            guard body != push.body, !push.isBeingSent else { continue }
            push.body = body
            changed.append(push)
        }
        return (obsolete, changed)
    }

    private mutating func change(
        _ key: ConversationKey,
        isSeenThrough sequence: Int64 = 0,
        _ apply: (inout Conversation) -> Void
    ) {
        var conversation = conversations[key] ?? Conversation(key)
        let before = conversation
        apply(&conversation)
        guard conversation != before else { return }
        conversations[key] = conversation
        changed.insert(key)
        if sequence > 0 || conversation.unread != before.unread { seen[key] = max(seen[key] ?? 0, sequence) }
    }

    private func order(
        for messages: PushedMessages,
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
                collapse: "\(message.room)-\(messages.groupStart)"
            ),
            // Anlaka enforces blocks when a message is written.
            sender: message.app == .withsuhyeon ? message.sender : nil,
            messages: messages,
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

extension ScheduledPush {
    /// The conversation of a push for messages: their thread is the room.
    fileprivate var key: ConversationKey {
        ConversationKey(account: account, room: PublicID(unchecked: content.thread ?? ""))
    }
}
