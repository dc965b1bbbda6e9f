import Contracts

extension RouteTable {
    /// MOUP (contract 1.4).
    static let moup = RouteTable(
        .moup,
        [
            .post("/auth/login", .auth, .open, rate: .signIn),
            .patch("/auth/login/register", .auth).refreshToken(.ignored),
            .post("/auth/token/refresh", .auth, .open).refreshToken(.passed),
            .get("/users/profiles", .auth),
            .patch("/users/nickname", .auth),
            .patch("/users/logout", .auth).refreshToken(.ignored),
            .delete("/users", .auth).refreshToken(.ignored),
            .post("/files/users/profile-images", .auth, body: .upload),
            .delete("/admin/users", .auth),
            .delete("/admin/users/immediate", .auth),

            .get("/home", .workforce),
            .on([.get, .post], "/workplaces", .workforce),
            .post("/workplaces/join", .workforce),
            .get("/workplaces/invite-codes/{inviteCode}", .workforce),
            .on([.get, .patch, .delete], "/workplaces/{workplaceId}", .workforce),
            .put("/workplaces/{workplaceId}/invite-code", .workforce),
            .get("/workplaces/{workplaceId}/workers", .workforce),
            .on([.get, .patch, .delete], "/workplaces/{workplaceId}/workers/me", .workforce),
            .on([.get, .post], "/workplaces/{workplaceId}/workers/me/works", .workforce),
            .post("/workplaces/{workplaceId}/workers/me/works/start", .workforce),
            .patch("/workplaces/{workplaceId}/workers/me/works/end", .workforce),
            .on([.get, .patch, .delete], "/workplaces/{workplaceId}/workers/{workerId}", .workforce),
            .on([.patch, .delete], "/workplaces/{workplaceId}/workers/{workerId}/accept", .workforce),
            .patch("/workplaces/{workplaceId}/workers/{workerId}/works/{workId}", .workforce),
            .patch("/workplaces/{workplaceId}/workers/{workerId}/works/recurring/{workId}", .workforce),
            .get("/workplaces/{workplaceId}/works", .workforce),
            .post("/workplaces/{workplaceId}/works/batch", .workforce),
            .get("/works", .workforce),
            .on([.get, .patch, .delete], "/works/{workId}", .workforce),
            .on([.patch, .delete], "/works/recurring/{workId}", .workforce),
            .on([.get, .post], "/routines", .workforce),
            .get("/routines/today", .workforce),
            .on([.get, .patch, .put, .delete], "/routines/{routineId}", .workforce),
            .get("/routines/works/{workId}/routines", .workforce),
            .put("/routines/works/{workId}/tasks/{taskId}/completion", .workforce),

            .patch("/users/fcm-token", .notifications),
            .on([.get, .delete], "/alarms/announcements", .notifications),
            .patch("/alarms/announcements/read", .notifications),
            .on([.get, .delete], "/alarms/announcements/{announcementId}", .notifications),
            .patch("/alarms/announcements/{announcementId}/read", .notifications),
            .on([.get, .delete], "/alarms/notifications", .notifications),
            .patch("/alarms/notifications/read", .notifications),
            .on([.get, .delete], "/alarms/notifications/{notificationId}", .notifications),
            .patch("/alarms/notifications/{notificationId}/read", .notifications),
            .post("/admin/alarms/announcements", .notifications),
            .post("/admin/alarms/notification", .notifications),
        ]
    )
}
