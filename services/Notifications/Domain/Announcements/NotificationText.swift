import Values

/// The text of an announcement or of an administrator's notification.
struct NotificationText: Sendable, Equatable {
    let title: String
    /// nil for none.
    let content: String?

    /// Limits in Unicode scalars.
    static let longestTitle = 100
    static let longestContent = 2000

    /// - Throws: `NotificationsError.rule`, naming the field.
    init(title: String, content: String?) throws {
        guard TypedText.isValid(title, limit: Self.longestTitle) else {
            throw NotificationsError.rule(
                "title must have 1 to \(Self.longestTitle) characters, none of them for control."
            )
        }
        let content = content.flatMap { $0.isEmpty ? nil : $0 }
        guard TypedText.isShowable(content ?? "", limit: Self.longestContent, manyLines: true) else {
            throw NotificationsError.rule(
                "content must have at most \(Self.longestContent) characters, none of them for control."
            )
        }
        self.title = title
        self.content = content
    }
}
