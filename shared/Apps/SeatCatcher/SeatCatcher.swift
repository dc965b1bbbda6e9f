package import Contracts

/// The calls of SeatCatcher (contract 1.5, 2.1). The app has no key: its paths have no prefix and differ from MOUP's.
package struct SeatCatcher: AppCatalogue {
    package static let app = App.seatcatcher

    // MARK: Auth

    package let receiveAppleNotification = Operation.webhook(.post, "/notices/seatcatcher/apple", .auth)
    package let receiveKakaoUnlink = Operation.webhook(.get, "/notices/seatcatcher/kakao", .auth)
    package let receiveKakaoUnlinkByPost = Operation.webhook(.post, "/notices/seatcatcher/kakao", .auth)
    package let signInWithApple = Operation(.post, "/user/authenticate/apple", .auth, access: .anyone, rate: .signIn)
    package let signInWithKakao = Operation(.post, "/user/authenticate/kakao", .auth, access: .anyone, rate: .signIn)
    package let refreshTokens = Operation(.post, "/token/refresh", .auth, access: .anyone, refreshToken: .forwarded)
    package let validateToken = Operation(.get, "/token/validate", .auth, access: .anyone)
    package let getProfile = Operation(.get, "/user/me", .auth)
    package let updateProfile = Operation(.patch, "/user/me", .auth)
    package let withdraw = Operation(.delete, "/user/me", .auth, refreshToken: .ignored)
    package let listSessions = Operation(.get, "/user/me/sessions", .auth)
    package let endOtherSessions = Operation(.delete, "/user/me/sessions", .auth)
    package let renameSession = Operation(.patch, "/user/me/sessions/{sessionId}", .auth)
    package let endSession = Operation(.delete, "/user/me/sessions/{sessionId}", .auth)

    // MARK: Seats

    package let getRidingStatus = Operation(.get, "/user/status", .seats)
    package let replaceRidingStatus = Operation(.post, "/user/status", .seats)
    package let updateRidingStatus = Operation(.patch, "/user/status", .seats)
    package let occupySeat = Operation(.post, "/user/seats", .seats)
    package let confirmSeat = Operation(.patch, "/user/seats", .seats)
    package let releaseSeat = Operation(.delete, "/user/seats", .seats)
    package let yieldSeat = Operation(.post, "/user/seats/{seatId}/yield", .seats)
    package let getCar = Operation.repeated("/trains", .seats)
    package let listIncomingTrains = Operation.repeated("/trains/incomings", .seats)
    package let searchStations = Operation.catalogue("/stations", .seats, maxAge: Operation.hour)
    package let getStation = Operation.catalogue("/stations/{stationId}", .seats, maxAge: Operation.hour)
    package let listPaths = Operation(.get, "/path-histories", .seats)
    package let createPath = Operation(.post, "/path-histories", .seats)
    package let startJourney = Operation(.post, "/path-histories/start-journey", .seats)
    package let getPath = Operation(.get, "/path-histories/{pathId}", .seats)
    package let updatePath = Operation(.patch, "/path-histories/{pathId}", .seats)
    package let deletePath = Operation(.delete, "/path-histories/{pathId}", .seats)
    package let changeCredit = Operation(.patch, "/credit", .seats)
    package let listTags = Operation.catalogue("/tags", .seats)
    package let getTag = Operation.catalogue("/tags/{id}", .seats)
    package let listReports = Operation(.get, "/reports", .seats)
    package let createReport = Operation(.post, "/reports", .seats)
    package let listOwnReports = Operation(.get, "/reports/me", .seats)
    package let getReport = Operation(.get, "/reports/{reportId}", .seats)
    package let updateReport = Operation(.patch, "/reports/{reportId}", .seats)
    package let deleteReport = Operation(.delete, "/reports/{reportId}", .seats)
    package let listFavorites = Operation(.get, "/favorites", .seats)
    package let createFavorite = Operation(.post, "/favorites", .seats)
    package let getFavorite = Operation(.get, "/favorites/{id}", .seats)
    package let updateFavorite = Operation(.put, "/favorites/{id}", .seats)
    package let deleteFavorite = Operation(.delete, "/favorites/{id}", .seats)
    // The service authenticates in the STOMP CONNECT frame.
    package let connectSTOMP = Operation.socket("/seatcatcher", .seats, access: .anyone)

    // MARK: Notifications

    package let getAlarmRoot = Operation(.get, "/alarms", .notifications)
    package let listAlarms = Operation(.get, "/alarms/me", .notifications)
    package let listAnnouncements = Operation(.get, "/alarms/me/announcements", .notifications)
    package let getAnnouncement = Operation(.get, "/alarms/me/announcements/{announcementId}", .notifications)
    package let deleteAnnouncement = Operation(.delete, "/alarms/me/announcements/{announcementId}", .notifications)
    package let getPreferences = Operation(.get, "/alarms/me/preferences", .notifications)
    package let updatePreferences = Operation(.put, "/alarms/me/preferences", .notifications)
    package let getAlarm = Operation(.get, "/alarms/{alarmId}", .notifications)
    package let deleteAlarm = Operation(.delete, "/alarms/{alarmId}", .notifications)
    package let registerPushToken = Operation(.post, "/fcm/token", .notifications)

    package init() {}
}
