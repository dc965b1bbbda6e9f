import Contracts

extension InAppNotificationDraft {
    /// A comment on the user's post, or a reply to the user's comment.
    ///
    /// - Parameter nickname: Nickname of the comment's author; nil when it is not known.
    init(_ event: CommunityEvents.CommentWritten, from nickname: String?) {
        self.init(
            app: event.app,
            account: event.account,
            sender: event.sender,
            kind: PushKind.comment,
            title: "\(Self.name(nickname)) \(event.isReply ? "답글" : "댓글")을 남겼습니다",
            body: ShownText.lines(event.text),
            data: ["post_id": event.post.rawValue, "comment_id": event.comment.rawValue],
            source: event.id
        )
    }

    /// A new follower.
    ///
    /// - Parameter nickname: Nickname of the follower; nil when it is not known.
    init(_ event: CommunityEvents.Followed, from nickname: String?) {
        self.init(
            app: event.app,
            account: event.account,
            sender: event.sender,
            kind: PushKind.follow,
            title: "새로운 팔로워",
            body: "\(Self.name(nickname)) 팔로우하기 시작했습니다.",
            source: event.id
        )
    }

    private static func name(_ nickname: String?) -> String {
        nickname.map { "\(ShownText.line($0))님이" } ?? "누군가"
    }
}
