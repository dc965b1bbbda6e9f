import Contracts
import FoundationEssentials
import Profiles
import Values

/// A companion post in a list (With Suhyeon contract 1.3, PostList and Home).
struct CompanionPostItem: Encodable {
    var postId: CompanionPostID
    var title: String
    var price: Int
    var age: String
    var gender: Bool
    var date: String
    var matching: Bool
    /// Absent on the home screen, which has no expired posts.
    var isExpired: Bool?

    init(_ post: CompanionPost, now: Date? = nil) {
        postId = post.id
        title = post.title
        price = post.price
        age = post.age.text
        gender = post.wantsMan
        date = KoreanDate.long(post.meetsAt)
        matching = post.isMatched
        isExpired = now.map(post.isExpired(at:))
    }
}

/// The details of a companion post (PostDetail).
struct CompanionPostDetail: Encodable {
    var title: String
    var content: String
    var nickname: String
    var createdAt: String
    var profileImage: String
    var price: Int
    var owner: Bool
    var matching: Bool
    var isExpired: Bool
    var postDetailInfo: Info
    var chatRoomInfoPost: Talk

    struct Info: Encodable {
        var region: String
        var gender: Bool
        var age: String
        var date: String
        var requests: [String]
    }

    /// The chat room of the viewer (`ownerId`) and the author (`writerId`).
    struct Talk: Encodable {
        var postId: CompanionPostID
        var ownerId: AccountID
        var writerId: AccountID
        var ownerChatRoomId: String
        var peerChatRoomId: String

        /// Placeholder when there is no room.
        static let none = "NO"
    }

    init(_ view: Companions.View, for account: AccountID) {
        let post = view.post
        title = post.title
        content = post.content
        nickname = view.author.shownName
        createdAt = KoreanDate.short(post.createdAt)
        profileImage = view.author.appImage
        price = post.price
        owner = post.author == account
        matching = post.isMatched
        isExpired = view.isExpired
        postDetailInfo = Info(
            region: post.region.name,
            gender: post.wantsMan,
            age: post.age.tightText,
            date: KoreanDate.long(post.meetsAt),
            requests: post.requests.map(\.text)
        )
        chatRoomInfoPost = Talk(
            postId: post.id,
            ownerId: account,
            writerId: post.author,
            ownerChatRoomId: view.room?.inquirersCopy.rawValue ?? Talk.none,
            peerChatRoomId: view.room?.authorsCopy.rawValue ?? Talk.none
        )
    }
}

/// A companion post of the viewer (MyPost).
struct OwnCompanionPostItem: Encodable {
    var postId: CompanionPostID
    var title: String
    var region: String
    /// A badge, displayed unchanged.
    var date: String
    var createdDate: String
    var matching: Bool

    init(_ post: CompanionPost, now: Date) {
        postId = post.id
        title = post.title
        region = post.region.name
        date = Self.badge(post, now)
        createdDate = KoreanDate.short(post.createdAt)
        matching = post.isMatched
    }

    private static func badge(_ post: CompanionPost, _ now: Date) -> String {
        guard !post.isExpired(at: now) else { return "기간 만료" }
        let days = SeoulTime.date(of: post.meetsAt).dayNumber - SeoulTime.date(of: now).dayNumber
        return days == 0 ? "D-Day" : "D-\(days)"
    }
}
