import Hummingbird
import Paging

/// How an app puts what its clients read of a list of notices.
protocol NoticeWire: Sendable {
    func page(_ page: Page<Notice>, unread: Int) throws -> Response
    func notice(_ notice: Notice) throws -> Response
    /// What is left unread after something was done.
    func unread(_ count: Int) throws -> Response
}
