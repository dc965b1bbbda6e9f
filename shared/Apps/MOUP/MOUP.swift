package import Contracts

/// The calls of MOUP (contract 1.4).
package struct MOUP: AppCatalogue {
    package static let app = App.moup

    // MARK: Auth

    package let receiveAppleNotification = Operation.webhook(.post, "/notices/moup/apple", .auth)
    package let receiveKakaoUnlink = Operation.webhook(.get, "/notices/moup/kakao", .auth)
    package let receiveKakaoUnlinkByPost = Operation.webhook(.post, "/notices/moup/kakao", .auth)
    package let signIn = Operation(.post, "/auth/login", .auth, access: .anyone, rate: .signIn)
    package let completeSignUp = Operation(.patch, "/auth/login/register", .auth, refreshToken: .ignored)
    package let refreshTokens = Operation(
        .post,
        "/auth/token/refresh",
        .auth,
        access: .anyone,
        refreshToken: .forwarded
    )
    package let getProfile = Operation(.get, "/users/profiles", .auth)
    package let updateNickname = Operation(.patch, "/users/nickname", .auth)
    package let signOut = Operation(.patch, "/users/logout", .auth, refreshToken: .ignored)
    package let withdraw = Operation(.delete, "/users", .auth, refreshToken: .ignored)
    package let listSessions = Operation(.get, "/users/sessions", .auth)
    package let endOtherSessions = Operation(.delete, "/users/sessions", .auth)
    package let renameSession = Operation(.patch, "/users/sessions/{sessionId}", .auth)
    package let endSession = Operation(.delete, "/users/sessions/{sessionId}", .auth)
    package let uploadProfileImage = Operation(.post, "/files/users/profile-images", .auth, body: .upload)
    package let getProfileImage = Operation(.get, "/files/users/profile-images/{name}", .auth, access: .anyone)
    package let deleteDueAccounts = Operation(.delete, "/admin/users", .auth)
    package let deleteAccountsImmediately = Operation(.delete, "/admin/users/immediate", .auth)

    // MARK: Workforce

    package let getHome = Operation.repeated("/home", .workforce)
    package let listPayslips = Operation(.get, "/payslips", .workforce)
    package let getOwnPayslip = Operation(.get, "/workplaces/{workplaceId}/workers/me/payslips/{month}", .workforce)
    package let getWorkerPayslip = Operation(
        .get,
        "/workplaces/{workplaceId}/workers/{workerId}/payslips/{month}",
        .workforce
    )
    package let listWorkplaces = Operation(.get, "/workplaces", .workforce)
    package let createWorkplace = Operation(.post, "/workplaces", .workforce)
    package let joinWorkplace = Operation(.post, "/workplaces/join", .workforce)
    package let getWorkplaceByInviteCode = Operation(.get, "/workplaces/invite-codes/{inviteCode}", .workforce)
    package let getWorkplace = Operation(.get, "/workplaces/{workplaceId}", .workforce)
    package let updateWorkplace = Operation(.patch, "/workplaces/{workplaceId}", .workforce)
    package let deleteWorkplace = Operation(.delete, "/workplaces/{workplaceId}", .workforce)
    package let createInviteCode = Operation(.put, "/workplaces/{workplaceId}/invite-code", .workforce)
    package let listWorkers = Operation(.get, "/workplaces/{workplaceId}/workers", .workforce)
    package let getOwnMembership = Operation(.get, "/workplaces/{workplaceId}/workers/me", .workforce)
    package let updateOwnMembership = Operation(.patch, "/workplaces/{workplaceId}/workers/me", .workforce)
    package let leaveWorkplace = Operation(.delete, "/workplaces/{workplaceId}/workers/me", .workforce)
    package let listOwnShiftsAtWorkplace = Operation(.get, "/workplaces/{workplaceId}/workers/me/works", .workforce)
    package let createShifts = Operation(.post, "/workplaces/{workplaceId}/workers/me/works", .workforce)
    package let clockIn = Operation(.post, "/workplaces/{workplaceId}/workers/me/works/start", .workforce)
    package let clockOut = Operation(.patch, "/workplaces/{workplaceId}/workers/me/works/end", .workforce)
    package let getWorker = Operation(.get, "/workplaces/{workplaceId}/workers/{workerId}", .workforce)
    package let updateWorker = Operation(.patch, "/workplaces/{workplaceId}/workers/{workerId}", .workforce)
    package let removeWorker = Operation(.delete, "/workplaces/{workplaceId}/workers/{workerId}", .workforce)
    package let acceptWorker = Operation(.patch, "/workplaces/{workplaceId}/workers/{workerId}/accept", .workforce)
    package let rejectWorker = Operation(.delete, "/workplaces/{workplaceId}/workers/{workerId}/accept", .workforce)
    package let updateWorkerShift = Operation(
        .patch,
        "/workplaces/{workplaceId}/workers/{workerId}/works/{workId}",
        .workforce
    )
    package let updateFollowingWorkerShifts = Operation(
        .patch,
        "/workplaces/{workplaceId}/workers/{workerId}/works/recurring/{workId}",
        .workforce
    )
    package let listWorkplaceShifts = Operation(.get, "/workplaces/{workplaceId}/works", .workforce)
    package let createShiftsForWorkers = Operation(.post, "/workplaces/{workplaceId}/works/batch", .workforce)
    package let listOwnShifts = Operation(.get, "/works", .workforce)
    package let getShift = Operation(.get, "/works/{workId}", .workforce)
    package let updateShift = Operation(.patch, "/works/{workId}", .workforce)
    package let deleteShift = Operation(.delete, "/works/{workId}", .workforce)
    package let updateFollowingShifts = Operation(.patch, "/works/recurring/{workId}", .workforce)
    package let deleteFollowingShifts = Operation(.delete, "/works/recurring/{workId}", .workforce)
    package let listRoutines = Operation(.get, "/routines", .workforce)
    package let createRoutine = Operation(.post, "/routines", .workforce)
    package let listRoutinesToday = Operation(.get, "/routines/today", .workforce)
    package let getRoutine = Operation(.get, "/routines/{routineId}", .workforce)
    package let replaceRoutine = Operation(.patch, "/routines/{routineId}", .workforce)
    package let putRoutine = Operation(.put, "/routines/{routineId}", .workforce)
    package let deleteRoutine = Operation(.delete, "/routines/{routineId}", .workforce)
    package let listRoutinesOfShift = Operation(.get, "/routines/works/{workId}/routines", .workforce)
    package let setTaskCompletion = Operation(.put, "/routines/works/{workId}/tasks/{taskId}/completion", .workforce)

    // MARK: Notifications

    package let registerPushToken = Operation(.patch, "/users/fcm-token", .notifications)
    package let listAnnouncements = Operation(.get, "/alarms/announcements", .notifications)
    package let deleteAnnouncements = Operation(.delete, "/alarms/announcements", .notifications)
    package let markAnnouncementsRead = Operation(.patch, "/alarms/announcements/read", .notifications)
    package let getAnnouncement = Operation(.get, "/alarms/announcements/{announcementId}", .notifications)
    package let deleteAnnouncement = Operation(.delete, "/alarms/announcements/{announcementId}", .notifications)
    package let markAnnouncementRead = Operation(.patch, "/alarms/announcements/{announcementId}/read", .notifications)
    package let listNotifications = Operation(.get, "/alarms/notifications", .notifications)
    package let deleteNotifications = Operation(.delete, "/alarms/notifications", .notifications)
    package let markNotificationsRead = Operation(.patch, "/alarms/notifications/read", .notifications)
    package let getNotification = Operation(.get, "/alarms/notifications/{notificationId}", .notifications)
    package let deleteNotification = Operation(.delete, "/alarms/notifications/{notificationId}", .notifications)
    package let markNotificationRead = Operation(.patch, "/alarms/notifications/{notificationId}/read", .notifications)
    package let getPreferences = Operation(.get, "/alarms/preferences", .notifications)
    package let updatePreferences = Operation(.put, "/alarms/preferences", .notifications)
    package let createAnnouncement = Operation(.post, "/admin/alarms/announcements", .notifications)
    package let createNotification = Operation(.post, "/admin/alarms/notification", .notifications)

    package init() {}
}
