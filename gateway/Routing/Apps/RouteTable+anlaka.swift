import Contracts

extension RouteTable {
    /// Anlaka (contract 2, 4.9, 5). The original's `GET /v1/log`, which shows other people's calls, is not there.
    static let anlaka = RouteTable(
        .anlaka,
        [
            .post("/notices/anlaka/apple", .auth, .open).unready(),
            .on([.get, .post], "/notices/anlaka/kakao", .auth, .open).unready(),
            // One account at PortOne serves both apps that take money.
            .post("/notices/portone", .payments, .open),
            .post("/v1/users/validation/email", .auth, .key, rate: .signIn),
            .post("/v1/users/join", .auth, .key, rate: .signIn),
            .post("/v1/users/login", .auth, .key, rate: .signIn),
            .post("/v1/users/login/kakao", .auth, .key, rate: .signIn),
            .post("/v1/users/login/apple", .auth, .key, rate: .signIn),
            // Comes with an access token that has usually expired; the service judges the refresh token.
            .get("/v1/auth/refresh", .auth, .key).refreshToken(.passed),
            .on([.get, .put], "/v1/users/me/profile", .auth),
            .post("/v1/users/profile/image", .auth, body: .upload),
            .get("/v1/users/search", .auth),
            .get("/v1/users/{userId}/profile", .auth),
            .post("/v1/users/logout", .auth).refreshToken(.ignored),
            .delete("/v1/users/me", .auth).refreshToken(.ignored),
            .on([.get, .delete], "/v1/users/me/sessions", .auth),
            .on([.patch, .delete], "/v1/users/me/sessions/{sessionId}", .auth),
            .get("/v1/data/profiles/**", .auth, .key),
            .get("/v1/common", .auth, .key),

            .post("/v1/estates", .estate),
            .post("/v1/estates/files", .estate, body: .upload),
            .get("/v1/estates/geolocation", .estate),
            .get("/v1/estates/clusters", .estate),
            .post("/v1/estates/batch", .estate),
            .get("/v1/estates/today-estates", .estate),
            .get("/v1/estates/hot-estates", .estate),
            .get("/v1/estates/similar-estates", .estate),
            .get("/v1/estates/today-topic", .estate),
            .get("/v1/estates/likes/me", .estate),
            .get("/v1/estates/{estateId}", .estate),
            .post("/v1/estates/{estateId}/like", .estate),
            .on([.get, .post], "/v1/estates/{estateId}/comments", .estate),
            .on([.put, .delete], "/v1/estates/{estateId}/comments/{commentId}", .estate),
            .get("/v1/places/search", .estate),
            .get("/v1/places/reverse", .estate),
            .get("/v1/banners/main", .estate),
            .get("/v1/data/estates/**", .estate, .key),
            .get("/v1/data/banners/**", .estate, .key),

            .get("/event-application", .community),
            // Called by the page itself, which has a token of its own and no key.
            .post("/event-application/attendance", .community, .open),
            .post("/v1/posts", .community),
            .post("/v1/posts/files", .community, body: .upload),
            .get("/v1/posts/geolocation", .community),
            .get("/v1/posts/search", .community),
            .get("/v1/posts/likes/me", .community),
            .get("/v1/posts/users/{userId}", .community),
            .on([.get, .put, .delete], "/v1/posts/{postId}", .community),
            .post("/v1/posts/{postId}/like", .community),
            .post("/v1/posts/{postId}/comments", .community),
            .on([.put, .delete], "/v1/posts/{postId}/comments/{commentId}", .community),
            .post("/v1/posts/{postId}/reports", .community),
            .get("/v1/data/posts/**", .community, .key),

            .on([.get, .post], "/v1/chats", .chat),
            .on([.get, .post, .delete], "/v1/chats/{roomId}", .chat),
            .put("/v1/chats/{roomId}/read", .chat),
            .get("/v1/chats/{roomId}/events", .chat),
            .on([.patch, .delete], "/v1/chats/{roomId}/messages/{chatId}", .chat),
            .post("/v1/chats/{roomId}/files", .chat, body: .upload),
            .get("/v1/chats/blocks", .chat),
            .on([.put, .delete], "/v1/chats/blocks/{userId}", .chat),
            .get("/v1/data/chats/**", .chat),
            .socket("/v1/chats/stream", .chat, .user),
            // A bad token is refused inside the socket, where the app sees the reason.
            .socket("/socket.io", .chat, .optional),

            .on([.get, .post], "/v1/orders", .payments),
            .delete("/v1/orders/{orderCode}", .payments),
            .post("/v1/payments/validation", .payments),
            .get("/v1/payments/{orderCode}", .payments),
            // PortOne's window sends phones back to the page without key and token; it has a cookie of its own then.
            .get("/v1/payments/checkout/{orderCode}", .payments, .page),
            .post("/v1/payments/checkout/{orderCode}/result", .payments, .open),

            .put("/v1/users/deviceToken", .notifications),
            .post("/v1/notifications/push", .notifications),
            .post("/v1/notifications/push/group", .notifications),
        ],
        notices(below: "/v1/notifications")
    )
}
