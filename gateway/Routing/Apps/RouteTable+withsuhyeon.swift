import Contracts

extension RouteTable {
    /// With Suhyeon (contract 1.2, 2.1). Its start page calls the social sign-ins with whatever token it still has.
    static let withsuhyeon = RouteTable(
        .withsuhyeon,
        [
            .post("/notices/withsuhyeon/apple", .auth, .open).unready(),
            .on([.get, .post], "/notices/withsuhyeon/kakao", .auth, .open).unready(),
            .on([.post, .patch], "/api/v1/auth/signup", .auth, .open, rate: .signIn),
            .post("/api/v1/auth/signin", .auth, .open, rate: .signIn),
            .post("/api/v1/auth/kakao", .auth, .open, rate: .signIn),
            .post("/api/v1/auth/apple", .auth, .open, rate: .signIn),
            .post("/api/v1/auth/logout", .auth).refreshToken(.ignored),
            .delete("/api/v1/auth/withdraw", .auth).refreshToken(.ignored),
            .get("/api/v1/user-id", .auth),
            .on([.get, .delete], "/api/v1/auth/sessions", .auth),
            .on([.patch, .delete], "/api/v1/auth/sessions/{sessionId}", .auth),
            .post("/api/v1/message/send", .auth, .open, rate: .signIn),
            .post("/api/v1/message/verify", .auth, .open, rate: .signIn),
            .get("/api/v1/mypage", .auth),
            .on([.get, .post, .delete], "/api/v1/mypage/blocks", .auth),
            .on([.get, .patch], "/api/v1/mypage/preference", .auth),
            .on([.get, .patch], "/api/v1/mypage/phone-number", .auth),

            .get("/api/v1/enums/regions", .community, .open),
            .get("/api/v1/enums/categories", .community, .open),
            .get("/api/v1/enums/categories/{name}", .community, .open),
            .get("/api/v1/home", .community),
            .on([.get, .post], "/api/v1/posts", .community),
            .on([.get, .delete], "/api/v1/posts/{postId}", .community),
            .patch("/api/v1/posts/{postId}/matching", .community),
            .post("/api/v1/posts/{postId}/reports", .community),
            .get("/api/v1/galleries", .community),
            .post("/api/v1/galleries", .community, body: .upload),
            .on([.get, .delete], "/api/v1/galleries/{galleryId}", .community),
            .post("/api/v1/galleries/{galleryId}/reports", .community),
            // Fetched by the phone's image library.
            .get("/api/v1/galleries/images/{name}", .community, .open),
            .get("/api/v1/mypage/posts", .community),
            .get("/api/v1/mypage/galleries", .community),

            .get("/api/v1/chatrooms", .chat),
            .get("/api/v1/chatrooms/{chatRoomId}", .chat),
            .patch("/api/v1/chatrooms/join/{chatRoomId}", .chat),
            .patch("/api/v1/chatrooms/exit/{chatRoomId}", .chat),
            .post("/api/v1/chatrooms/{chatRoomId}/messages", .chat),
            .on([.patch, .delete], "/api/v1/chatrooms/{chatRoomId}/messages/{messageId}", .chat),
            .get("/api/v1/chatrooms/{chatRoomId}/events", .chat),
            .socket("/api/v1/chatrooms/stream", .chat, .user),
            // The handshake carries a ticket, which the service knows.
            .socket("/chat", .chat, .open),

            // Spelled so by the app, and sent without a token.
            .post("/api/vi/fcm/token", .notifications, .open),
            .put("/api/v1/fcm/token", .notifications),
        ],
        notices(below: "/api/v1/notifications")
    )
}
