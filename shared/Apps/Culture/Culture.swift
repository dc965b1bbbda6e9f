package import Contracts

/// The calls of Seoul Culture (contract 2, 5.1).
package struct Culture: AppCatalogue {
    package static let app = App.culture

    // MARK: Auth

    package let join = Operation(.post, "/v1/users/join", .auth, access: .appKey, rate: .signIn)
    package let signIn = Operation(.post, "/v1/users/login", .auth, access: .appKey, rate: .signIn)
    package let checkEmail = Operation(.post, "/v1/validation/email", .auth, access: .appKey, rate: .signIn)
    // Comes with an access token that has expired; the service checks the refresh token.
    package let refreshTokens = Operation(.get, "/v1/auth/refresh", .auth, access: .appKey, refreshToken: .forwarded)
    package let withdrawByGet = Operation(.get, "/v1/users/withdraw", .auth, refreshToken: .ignored)
    package let withdrawByPost = Operation(.post, "/v1/users/me", .auth, refreshToken: .ignored)
    package let withdraw = Operation(.delete, "/v1/users/me", .auth, refreshToken: .ignored)
    package let getOwnProfile = Operation(.get, "/v1/users/me/profile", .auth)
    package let updateOwnProfile = Operation(.put, "/v1/users/me/profile", .auth, body: .upload)
    package let searchUsers = Operation(.get, "/v1/users/search", .auth)
    package let listSessions = Operation(.get, "/v1/users/me/sessions", .auth)
    package let endOtherSessions = Operation(.delete, "/v1/users/me/sessions", .auth)
    package let renameSession = Operation(.patch, "/v1/users/me/sessions/{sessionId}", .auth)
    package let endSession = Operation(.delete, "/v1/users/me/sessions/{sessionId}", .auth)
    package let getUserProfile = Operation(.get, "/v1/users/{userId}/profile", .auth)
    package let getProfileImage = Operation(.get, "/v1/uploads/profiles/{name}", .auth)

    // MARK: Community

    package let listPosts = Operation(.get, "/v1/posts", .community)
    package let createPost = Operation(.post, "/v1/posts", .community)
    package let uploadPostFiles = Operation(.post, "/v1/posts/files", .community, body: .upload)
    package let listTaggedPosts = Operation(.get, "/v1/posts/hashtags", .community)
    package let listLikedPosts = Operation(.get, "/v1/posts/likes/me", .community)
    package let listSecondLikedPosts = Operation(.get, "/v1/posts/likes-2/me", .community)
    package let listPostsByUser = Operation(.get, "/v1/posts/users/{userId}", .community)
    package let getPost = Operation(.get, "/v1/posts/{postId}", .community)
    package let updatePost = Operation(.put, "/v1/posts/{postId}", .community)
    package let deletePost = Operation(.delete, "/v1/posts/{postId}", .community)
    package let setLike = Operation(.post, "/v1/posts/{postId}/like", .community)
    package let setSecondLike = Operation(.post, "/v1/posts/{postId}/like-2", .community)
    package let createComment = Operation(.post, "/v1/posts/{postId}/comments", .community)
    package let updateComment = Operation(.put, "/v1/posts/{postId}/comments/{commentId}", .community)
    package let deleteComment = Operation(.delete, "/v1/posts/{postId}/comments/{commentId}", .community)
    package let reportPost = Operation(.post, "/v1/posts/{postId}/reports", .community)
    package let follow = Operation(.post, "/v1/follow/{userId}", .community)
    package let unfollow = Operation(.delete, "/v1/follow/{userId}", .community)
    package let getPostFile = Operation(.get, "/v1/uploads/posts/{name}", .community)
    package let listEvents = Operation(.get, "/v1/events", .community)
    package let listFavoriteEvents = Operation(.get, "/v1/events/favorites", .community)
    package let getEvent = Operation(.get, "/v1/events/{eventId}", .community)
    package let addFavoriteEvent = Operation(.put, "/v1/events/{eventId}/favorite", .community)
    package let removeFavoriteEvent = Operation(.delete, "/v1/events/{eventId}/favorite", .community)
    // The city's open data, in the path format of the city; the app puts a key of its own first.
    package let listOpenDataFrom = Operation.catalogue(
        "/{key}/json/culturalEventInfo/{start}",
        .community,
        access: .anyone
    )
    package let listOpenDataRange = Operation.catalogue(
        "/{key}/json/culturalEventInfo/{start}/{end}",
        .community,
        access: .anyone
    )
    package let listOpenDataOfCategory = Operation.catalogue(
        "/{key}/json/culturalEventInfo/{start}/{end}/{codename}",
        .community,
        access: .anyone
    )
    package let listOpenDataByTitle = Operation.catalogue(
        "/{key}/json/culturalEventInfo/{start}/{end}/{codename}/{title}",
        .community,
        access: .anyone
    )
    package let listOpenDataOnDay = Operation.catalogue(
        "/{key}/json/culturalEventInfo/{start}/{end}/{codename}/{title}/{date}",
        .community,
        access: .anyone
    )

    // MARK: Payments

    package let preparePayment = Operation(.post, "/v1/payments/prepare", .payments)
    package let validatePayment = Operation(.post, "/v1/payments/validation", .payments)
    package let listPurchases = Operation(.get, "/v1/payments/me", .payments)

    // MARK: Notifications

    package let registerPushToken = Operation(.put, "/v1/users/deviceToken", .notifications)
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
