import Contracts

extension RouteTable {
    /// Seoul Culture (contract 2, 5.1).
    static let culture = RouteTable(
        .culture,
        [
            .post("/v1/users/join", .auth, .key, rate: .signIn),
            .post("/v1/users/login", .auth, .key, rate: .signIn),
            .post("/v1/validation/email", .auth, .key, rate: .signIn),
            // Comes with an access token that has expired; the service judges the refresh token.
            .get("/v1/auth/refresh", .auth, .key).refreshToken(.passed),
            .get("/v1/users/withdraw", .auth).refreshToken(.ignored),
            .on([.post, .delete], "/v1/users/me", .auth).refreshToken(.ignored),
            .get("/v1/users/me/profile", .auth),
            .put("/v1/users/me/profile", .auth, body: .upload),
            .get("/v1/users/search", .auth),
            .on([.get, .delete], "/v1/users/me/sessions", .auth),
            .on([.patch, .delete], "/v1/users/me/sessions/{sessionId}", .auth),
            .get("/v1/users/{userId}/profile", .auth),
            .get("/v1/uploads/profiles/**", .auth),

            .on([.get, .post], "/v1/posts", .community),
            .post("/v1/posts/files", .community, body: .upload),
            .get("/v1/posts/hashtags", .community),
            .get("/v1/posts/likes/me", .community),
            .get("/v1/posts/likes-2/me", .community),
            .get("/v1/posts/users/{userId}", .community),
            .on([.get, .put, .delete], "/v1/posts/{postId}", .community),
            .post("/v1/posts/{postId}/like", .community),
            .post("/v1/posts/{postId}/like-2", .community),
            .post("/v1/posts/{postId}/comments", .community),
            .on([.put, .delete], "/v1/posts/{postId}/comments/{commentId}", .community),
            .post("/v1/posts/{postId}/reports", .community),
            .on([.post, .delete], "/v1/follow/{userId}", .community),
            .get("/v1/uploads/**", .community),
            .get("/v1/events", .community),
            .get("/v1/events/favorites", .community),
            .get("/v1/events/{eventId}", .community),
            .on([.put, .delete], "/v1/events/{eventId}/favorite", .community),
            // The city's open data, in the city's own path shape: the app puts a key of its own first.
            .get("/{key}/json/culturalEventInfo/**", .community, .open),

            .post("/v1/payments/prepare", .payments),
            .post("/v1/payments/validation", .payments),
            .get("/v1/payments/me", .payments),

            .put("/v1/users/deviceToken", .notifications),
        ],
        notices(below: "/v1/notifications")
    )
}
