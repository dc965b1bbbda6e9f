/// A list of what somebody is told of. All that is asked with an id is only done with what is theirs.
protocol NoticeList: Sendable {
    /// A part of it, the latest first.
    func page(_ query: NoticeQuery, for reader: Reader) async throws -> NoticePage

    /// How many are unread; counted up to `NoticeLimits.unread`.
    func unread(of reader: Reader) async throws -> Int

    /// - Throws: `NotificationsError.noticeNotFound`, `.notTheirs`.
    func notice(_ id: Int64, for reader: Reader) async throws -> Notice

    /// Marks one as read. What was read before stays as it is.
    ///
    /// - Returns: how it is afterwards, and whether it was read before.
    /// - Throws: `NotificationsError.noticeNotFound`, `.notTheirs`.
    func read(_ id: Int64, by reader: Reader) async throws -> (notice: Notice, wasRead: Bool)

    func readAll(by reader: Reader) async throws

    /// Puts one away for good.
    ///
    /// - Throws: `NotificationsError.noticeNotFound`, `.notTheirs`.
    func delete(_ id: Int64, by reader: Reader) async throws

    func deleteAll(by reader: Reader) async throws
}

/// How far is counted and listed.
enum NoticeLimits {
    /// Unread notices beyond it are not counted: no phone shows more.
    static let unread = 999
    /// The most of a list that is shown to who asks for all of it.
    static let all = 1000
}
