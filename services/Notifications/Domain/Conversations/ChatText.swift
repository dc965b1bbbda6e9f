import Contracts

/// Texts of pushes for messages.
enum ChatText {
    /// The text; a short label for a message of files only.
    static func body(of message: ChatEvents.MessageSent) -> String {
        guard message.text.isEmpty else { return message.text }
        return message.files > 1 ? "파일 \(message.files)개를 보냈습니다." : "파일을 보냈습니다."
    }

    /// The text for several messages (Anlaka contract 4.10).
    static func together(_ count: Int) -> String {
        "새로운 메시지가 \(count)개 있습니다."
    }
}
