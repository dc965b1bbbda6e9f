package import Contracts

/// The calls of Anlaka (contract 2, 4.9, 5). The former server's `GET /v1/log`, which shows other users' calls, is left out.
package struct Anlaka: AppCatalogue {
    package static let app = App.anlaka

    // MARK: Auth

    package let receiveAppleNotification = Operation.webhook(.post, "/notices/anlaka/apple", .auth)
    package let receiveKakaoUnlink = Operation.webhook(.get, "/notices/anlaka/kakao", .auth)
    package let receiveKakaoUnlinkByPost = Operation.webhook(.post, "/notices/anlaka/kakao", .auth)
    package let checkEmail = Operation(.post, "/v1/users/validation/email", .auth, access: .appKey, rate: .signIn)
    package let join = Operation(.post, "/v1/users/join", .auth, access: .appKey, rate: .signIn)
    package let signIn = Operation(.post, "/v1/users/login", .auth, access: .appKey, rate: .signIn)
    package let signInWithKakao = Operation(.post, "/v1/users/login/kakao", .auth, access: .appKey, rate: .signIn)
    package let signInWithApple = Operation(.post, "/v1/users/login/apple", .auth, access: .appKey, rate: .signIn)
    // Comes with an access token that has usually expired; the service checks the refresh token.
    package let refreshTokens = Operation(.get, "/v1/auth/refresh", .auth, access: .appKey, refreshToken: .forwarded)
    package let getOwnProfile = Operation(.get, "/v1/users/me/profile", .auth)
    package let updateOwnProfile = Operation(.put, "/v1/users/me/profile", .auth)
    package let uploadProfileImage = Operation(.post, "/v1/users/profile/image", .auth, body: .upload)
    package let searchUsers = Operation(.get, "/v1/users/search", .auth)
    package let getUserProfile = Operation(.get, "/v1/users/{userId}/profile", .auth)
    package let signOut = Operation(.post, "/v1/users/logout", .auth, refreshToken: .ignored)
    package let withdraw = Operation(.delete, "/v1/users/me", .auth, refreshToken: .ignored)
    package let listSessions = Operation(.get, "/v1/users/me/sessions", .auth)
    package let endOtherSessions = Operation(.delete, "/v1/users/me/sessions", .auth)
    package let renameSession = Operation(.patch, "/v1/users/me/sessions/{sessionId}", .auth)
    package let endSession = Operation(.delete, "/v1/users/me/sessions/{sessionId}", .auth)
    package let getProfileImage = Operation(.get, "/v1/data/profiles/{name}", .auth, access: .appKey)
    package let getCommon = Operation(.get, "/v1/common", .auth, access: .appKey)

    // MARK: Estate

    package let createEstate = Operation(.post, "/v1/estates", .estate)
    package let uploadEstatePictures = Operation(.post, "/v1/estates/files", .estate, body: .upload)
    package let searchEstates = Operation.repeated("/v1/estates/geolocation", .estate)
    package let listClusters = Operation.catalogue("/v1/estates/clusters", .estate)
    package let getEstates = Operation(.post, "/v1/estates/batch", .estate)
    package let listTodayEstates = Operation.repeated("/v1/estates/today-estates", .estate)
    package let listHotEstates = Operation.repeated("/v1/estates/hot-estates", .estate)
    package let listSimilarEstates = Operation.repeated("/v1/estates/similar-estates", .estate)
    package let listTopics = Operation.catalogue("/v1/estates/today-topic", .estate)
    package let listLikedEstates = Operation(.get, "/v1/estates/likes/me", .estate)
    package let getEstate = Operation(.get, "/v1/estates/{estateId}", .estate)
    package let setEstateLike = Operation(.post, "/v1/estates/{estateId}/like", .estate)
    package let listEstateComments = Operation(.get, "/v1/estates/{estateId}/comments", .estate)
    package let createEstateComment = Operation(.post, "/v1/estates/{estateId}/comments", .estate)
    package let updateEstateComment = Operation(.put, "/v1/estates/{estateId}/comments/{commentId}", .estate)
    package let deleteEstateComment = Operation(.delete, "/v1/estates/{estateId}/comments/{commentId}", .estate)
    package let searchPlaces = Operation(.get, "/v1/places/search", .estate)
    package let reverseGeocode = Operation(.get, "/v1/places/reverse", .estate)
    package let listBanners = Operation.catalogue("/v1/banners/main", .estate, maxAge: Operation.hour)
    package let getEstatePicture = Operation(.get, "/v1/data/estates/{name}", .estate, access: .appKey)
    package let getBannerImage = Operation(.get, "/v1/data/banners/{name}", .estate, access: .appKey)

    // MARK: Community

    package let getAttendancePage = Operation(.get, "/event-application", .community)
    // Called by the page itself, which has a token of its own and no key.
    package let recordAttendance = Operation(.post, "/event-application/attendance", .community, access: .page)
    package let createPost = Operation(.post, "/v1/posts", .community)
    package let uploadPostFiles = Operation(.post, "/v1/posts/files", .community, body: .upload)
    package let listPostsNearby = Operation(.get, "/v1/posts/geolocation", .community)
    package let searchPosts = Operation(.get, "/v1/posts/search", .community)
    package let listLikedPosts = Operation(.get, "/v1/posts/likes/me", .community)
    package let listPostsByUser = Operation(.get, "/v1/posts/users/{userId}", .community)
    package let getPost = Operation(.get, "/v1/posts/{postId}", .community)
    package let updatePost = Operation(.put, "/v1/posts/{postId}", .community)
    package let deletePost = Operation(.delete, "/v1/posts/{postId}", .community)
    package let setLike = Operation(.post, "/v1/posts/{postId}/like", .community)
    package let createComment = Operation(.post, "/v1/posts/{postId}/comments", .community)
    package let updateComment = Operation(.put, "/v1/posts/{postId}/comments/{commentId}", .community)
    package let deleteComment = Operation(.delete, "/v1/posts/{postId}/comments/{commentId}", .community)
    package let reportPost = Operation(.post, "/v1/posts/{postId}/reports", .community)
    package let getPostFile = Operation(.get, "/v1/data/posts/{name}", .community, access: .appKey)

    // MARK: Chat

    package let listChatRooms = Operation.repeated("/v1/chats", .chat)
    package let openChatRoom = Operation(.post, "/v1/chats", .chat)
    package let listMessages = Operation(.get, "/v1/chats/{roomId}", .chat)
    package let sendMessage = Operation(.post, "/v1/chats/{roomId}", .chat)
    package let clearChatRoom = Operation(.delete, "/v1/chats/{roomId}", .chat)
    package let markChatRoomRead = Operation(.put, "/v1/chats/{roomId}/read", .chat)
    package let listChatRoomEvents = Operation(.get, "/v1/chats/{roomId}/events", .chat)
    package let editMessage = Operation(.patch, "/v1/chats/{roomId}/messages/{chatId}", .chat)
    package let deleteMessage = Operation(.delete, "/v1/chats/{roomId}/messages/{chatId}", .chat)
    package let uploadChatFiles = Operation(.post, "/v1/chats/{roomId}/files", .chat, body: .upload)
    package let listBlockedUsers = Operation(.get, "/v1/chats/blocks", .chat)
    package let blockUser = Operation(.put, "/v1/chats/blocks/{userId}", .chat)
    package let unblockUser = Operation(.delete, "/v1/chats/blocks/{userId}", .chat)
    package let getChatFile = Operation(.get, "/v1/data/chats/{name}", .chat)
    package let connectStream = Operation.socket("/v1/chats/stream", .chat)
    // A bad token is refused inside the socket, where the app sees the reason.
    package let connectSocketIO = Operation.socket("/socket.io", .chat, access: .optionalUser)

    // MARK: Payments

    // One account at PortOne serves both apps that take payments.
    package let receivePaymentWebhook = Operation(.post, "/notices/portone", .payments, access: .anyone)
    package let listOrders = Operation(.get, "/v1/orders", .payments)
    package let placeOrder = Operation(.post, "/v1/orders", .payments)
    package let cancelOrder = Operation(.delete, "/v1/orders/{orderCode}", .payments)
    package let validatePayment = Operation(.post, "/v1/payments/validation", .payments)
    package let getReceipt = Operation(.get, "/v1/payments/{orderCode}", .payments)
    // PortOne's window returns to the page without key and token; the page has a cookie by then.
    package let getCheckoutPage = Operation(.get, "/v1/payments/checkout/{orderCode}", .payments, access: .page)
    package let getCheckoutResult = Operation(
        .post,
        "/v1/payments/checkout/{orderCode}/result",
        .payments,
        access: .anyone
    )

    // MARK: Notifications

    package let registerPushToken = Operation(.put, "/v1/users/deviceToken", .notifications)
    package let sendPush = Operation(.post, "/v1/notifications/push", .notifications)
    package let sendGroupPush = Operation(.post, "/v1/notifications/push/group", .notifications)
    package let listNotifications = Operation(.get, "/v1/notifications", .notifications)
    package let deleteNotifications = Operation(.delete, "/v1/notifications", .notifications)
    package let markNotificationsRead = Operation(.patch, "/v1/notifications/read", .notifications)
    package let deleteNotification = Operation(.delete, "/v1/notifications/{notificationId}", .notifications)
    package let markNotificationRead = Operation(.patch, "/v1/notifications/{notificationId}/read", .notifications)
    package let listAnnouncements = Operation(.get, "/v1/notifications/announcements", .notifications)
    package let deleteAnnouncements = Operation(.delete, "/v1/notifications/announcements", .notifications)
    package let markAnnouncementsRead = Operation(.patch, "/v1/notifications/announcements/read", .notifications)
    package let deleteAnnouncement = Operation(
        .delete,
        "/v1/notifications/announcements/{notificationId}",
        .notifications
    )
    package let markAnnouncementRead = Operation(
        .patch,
        "/v1/notifications/announcements/{notificationId}/read",
        .notifications
    )
    package let getPreferences = Operation(.get, "/v1/notifications/preferences", .notifications)
    package let updatePreferences = Operation(.put, "/v1/notifications/preferences", .notifications)

    package init() {}
}
