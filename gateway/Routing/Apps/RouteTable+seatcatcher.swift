import Contracts

extension RouteTable {
    /// SeatCatcher (contract 1.5, 2.1). No prefix: its paths are told apart from MOUP's by their words.
    static let seatcatcher = RouteTable(
        .seatcatcher,
        [
            .post("/notices/seatcatcher/apple", .auth, .open).unready(),
            .on([.get, .post], "/notices/seatcatcher/kakao", .auth, .open).unready(),
            .post("/user/authenticate/apple", .auth, .open, rate: .signIn),
            .post("/user/authenticate/kakao", .auth, .open, rate: .signIn),
            .post("/token/refresh", .auth, .open).refreshToken(.passed),
            .get("/token/validate", .auth, .open),
            .on([.get, .patch], "/user/me", .auth),
            .delete("/user/me", .auth).refreshToken(.ignored),
            .on([.get, .delete], "/user/me/sessions", .auth),
            .on([.patch, .delete], "/user/me/sessions/{sessionId}", .auth),

            .on([.get, .post, .patch], "/user/status", .seats),
            .on([.post, .patch, .delete], "/user/seats", .seats),
            .post("/user/seats/{seatId}/yield", .seats),
            .get("/trains", .seats),
            .get("/trains/incomings", .seats),
            .get("/stations", .seats),
            .get("/stations/{stationId}", .seats),
            .on([.get, .post], "/path-histories", .seats),
            .post("/path-histories/start-journey", .seats),
            .on([.get, .patch, .delete], "/path-histories/{pathId}", .seats),
            .patch("/credit", .seats),
            .get("/tags", .seats),
            .get("/tags/{id}", .seats),
            .on([.get, .post], "/reports", .seats),
            .get("/reports/me", .seats),
            .on([.get, .patch, .delete], "/reports/{reportId}", .seats),
            .on([.get, .post], "/favorites", .seats),
            .on([.get, .put, .delete], "/favorites/{id}", .seats),
            // Its service authenticates in the STOMP CONNECT frame.
            .socket("/seatcatcher", .seats, .open),

            .get("/alarms", .notifications),
            .get("/alarms/me", .notifications),
            .get("/alarms/me/announcements", .notifications),
            .on([.get, .delete], "/alarms/me/announcements/{announcementId}", .notifications),
            .on([.get, .put], "/alarms/me/preferences", .notifications),
            .on([.get, .delete], "/alarms/{alarmId}", .notifications),
            .post("/fcm/token", .notifications),
        ]
    )
}
