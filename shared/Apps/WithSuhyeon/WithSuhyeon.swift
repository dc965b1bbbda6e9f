package import Contracts

/// The calls of With Suhyeon (contract 1.2, 2.1). Its start page calls the social sign-ins with whatever token it still has.
package struct WithSuhyeon: AppCatalogue {
    package static let app = App.withsuhyeon

    // MARK: Auth

    package let receiveAppleNotification = Operation.webhook(.post, "/notices/withsuhyeon/apple", .auth)
    package let receiveKakaoUnlink = Operation.webhook(.get, "/notices/withsuhyeon/kakao", .auth)
    package let receiveKakaoUnlinkByPost = Operation.webhook(.post, "/notices/withsuhyeon/kakao", .auth)
    package let signUp = Operation(.post, "/api/v1/auth/signup", .auth, access: .anyone, rate: .signIn)
    package let completeSignUp = Operation(.patch, "/api/v1/auth/signup", .auth, access: .anyone, rate: .signIn)
    package let signIn = Operation(.post, "/api/v1/auth/signin", .auth, access: .anyone, rate: .signIn)
    package let signInWithKakao = Operation(.post, "/api/v1/auth/kakao", .auth, access: .anyone, rate: .signIn)
    package let signInWithApple = Operation(.post, "/api/v1/auth/apple", .auth, access: .anyone, rate: .signIn)
    package let signOut = Operation(.post, "/api/v1/auth/logout", .auth, refreshToken: .ignored)
    package let withdraw = Operation(.delete, "/api/v1/auth/withdraw", .auth, refreshToken: .ignored)
    package let createSocketTicket = Operation(.get, "/api/v1/user-id", .auth)
    package let listSessions = Operation(.get, "/api/v1/auth/sessions", .auth)
    package let endOtherSessions = Operation(.delete, "/api/v1/auth/sessions", .auth)
    package let renameSession = Operation(.patch, "/api/v1/auth/sessions/{sessionId}", .auth)
    package let endSession = Operation(.delete, "/api/v1/auth/sessions/{sessionId}", .auth)
    package let sendVerificationCode = Operation(.post, "/api/v1/message/send", .auth, access: .anyone, rate: .signIn)
    package let verifyPhone = Operation(.post, "/api/v1/message/verify", .auth, access: .optionalUser, rate: .signIn)
    package let getProfile = Operation(.get, "/api/v1/mypage", .auth)
    package let listBlockedPhoneNumbers = Operation(.get, "/api/v1/mypage/blocks", .auth)
    package let blockPhoneNumber = Operation(.post, "/api/v1/mypage/blocks", .auth)
    package let unblockPhoneNumber = Operation(.delete, "/api/v1/mypage/blocks", .auth)
    package let getRegion = Operation(.get, "/api/v1/mypage/preference", .auth)
    package let updateRegion = Operation(.patch, "/api/v1/mypage/preference", .auth)
    package let getPhoneNumber = Operation(.get, "/api/v1/mypage/phone-number", .auth)
    package let updatePhoneNumber = Operation(.patch, "/api/v1/mypage/phone-number", .auth)

    // MARK: Community

    package let listRegions = Operation.catalogue(
        "/api/v1/enums/regions",
        .community,
        access: .anyone,
        maxAge: Operation.hour
    )
    package let listCategories = Operation.catalogue(
        "/api/v1/enums/categories",
        .community,
        access: .anyone,
        maxAge: Operation.hour
    )
    package let getCategoryImage = Operation(.get, "/api/v1/enums/categories/{name}", .community, access: .anyone)
    package let getHome = Operation.repeated("/api/v1/home", .community)
    package let listPosts = Operation(.get, "/api/v1/posts", .community)
    package let createPost = Operation(.post, "/api/v1/posts", .community)
    package let getPost = Operation(.get, "/api/v1/posts/{postId}", .community)
    package let deletePost = Operation(.delete, "/api/v1/posts/{postId}", .community)
    package let setMatching = Operation(.patch, "/api/v1/posts/{postId}/matching", .community)
    package let reportPost = Operation(.post, "/api/v1/posts/{postId}/reports", .community)
    package let listGalleryPictures = Operation(.get, "/api/v1/galleries", .community)
    package let createGalleryPicture = Operation(.post, "/api/v1/galleries", .community, body: .upload)
    package let getGalleryPicture = Operation(.get, "/api/v1/galleries/{galleryId}", .community)
    package let deleteGalleryPicture = Operation(.delete, "/api/v1/galleries/{galleryId}", .community)
    package let reportGalleryPicture = Operation(.post, "/api/v1/galleries/{galleryId}/reports", .community)
    // Fetched by the app's image library, without a token.
    package let getGalleryImage = Operation(.get, "/api/v1/galleries/images/{name}", .community, access: .anyone)
    package let listOwnPosts = Operation(.get, "/api/v1/mypage/posts", .community)
    package let listOwnGalleryPictures = Operation(.get, "/api/v1/mypage/galleries", .community)

    // MARK: Chat

    package let listChatRooms = Operation.repeated("/api/v1/chatrooms", .chat)
    package let listMessages = Operation(.get, "/api/v1/chatrooms/{chatRoomId}", .chat)
    package let joinChatRoom = Operation(.patch, "/api/v1/chatrooms/join/{chatRoomId}", .chat)
    package let exitChatRoom = Operation(.patch, "/api/v1/chatrooms/exit/{chatRoomId}", .chat)
    package let sendMessage = Operation(.post, "/api/v1/chatrooms/{chatRoomId}/messages", .chat)
    package let editMessage = Operation(.patch, "/api/v1/chatrooms/{chatRoomId}/messages/{messageId}", .chat)
    package let deleteMessage = Operation(.delete, "/api/v1/chatrooms/{chatRoomId}/messages/{messageId}", .chat)
    package let listChatRoomEvents = Operation(.get, "/api/v1/chatrooms/{chatRoomId}/events", .chat)
    package let connectStream = Operation.socket("/api/v1/chatrooms/stream", .chat)
    // The handshake carries a ticket, which the service knows.
    package let connectChat = Operation.socket("/chat", .chat, access: .anyone)

    // MARK: Notifications

    // The app misspells the path, and sends no token.
    package let registerPushTokenAnonymously = Operation(.post, "/api/vi/fcm/token", .notifications, access: .anyone)
    package let registerPushToken = Operation(.put, "/api/v1/fcm/token", .notifications)
    package let listNotifications = Operation(.get, "/api/v1/notifications", .notifications)
    package let deleteNotifications = Operation(.delete, "/api/v1/notifications", .notifications)
    package let markNotificationsRead = Operation(.patch, "/api/v1/notifications/read", .notifications)
    package let deleteNotification = Operation(.delete, "/api/v1/notifications/{notificationId}", .notifications)
    package let markNotificationRead = Operation(.patch, "/api/v1/notifications/{notificationId}/read", .notifications)
    package let listAnnouncements = Operation(.get, "/api/v1/notifications/announcements", .notifications)
    package let deleteAnnouncements = Operation(.delete, "/api/v1/notifications/announcements", .notifications)
    package let markAnnouncementsRead = Operation(.patch, "/api/v1/notifications/announcements/read", .notifications)
    package let deleteAnnouncement = Operation(
        .delete,
        "/api/v1/notifications/announcements/{notificationId}",
        .notifications
    )
    package let markAnnouncementRead = Operation(
        .patch,
        "/api/v1/notifications/announcements/{notificationId}/read",
        .notifications
    )
    package let getPreferences = Operation(.get, "/api/v1/notifications/preferences", .notifications)
    package let updatePreferences = Operation(.put, "/api/v1/notifications/preferences", .notifications)

    package init() {}
}
