import TypedText

/// What everybody in an app is to be told, or one of them by an administrator.
struct NoticeText: Sendable, Equatable {
    let title: String
    /// nil for none.
    let content: String?

    /// The most characters, in Unicode scalars.
    static let longestTitle = 100
    static let longestContent = 2000

    /// - Throws: `NotificationsError.rule`, naming the field.
    init(title: String, content: String?) throws {
        guard TypedText.isFine(title, limit: Self.longestTitle) else {
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
