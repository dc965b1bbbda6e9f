import AppClients
import Contracts

/// The decoders of the apps, by call.
package enum AppDecoders {
    /// nil for a call of which the app reads no JSON.
    static func decoder(of call: ContractCall) -> AppDecoder? { table(of: call.app)[call.name] }

    private static func table(of app: App) -> [String: AppDecoder] {
        switch app {
        case .seatcatcher: seatcatcher
        case .moup: moup
        case .anlaka: anlaka
        case .culture: culture
        case .withsuhyeon: withsuhyeon
        }
    }

    private static let seatcatcher: [String: AppDecoder] = [
        "POST /user/authenticate/apple": AppDecoder(ClientTokens.self),
        "POST /user/authenticate/kakao": AppDecoder(ClientTokens.self),
        "POST /token/refresh": AppDecoder(ClientTokens.self),
        "GET /user/me": AppDecoder(SeatCatcherProfile.self),
        "PATCH /user/me": AppDecoder(SeatCatcherProfile.self),
        "GET /trains": AppDecoder([SeatCatcherSection].self),
        "GET /trains/incomings": AppDecoder([SeatCatcherTrain].self),
        "GET /stations": AppDecoder([SeatCatcherStation].self),
        "GET /stations/{stationId}": AppDecoder(SeatCatcherStation.self),
        "GET /path-histories/": AppDecoder(SeatCatcherPaths.self),
        "POST /path-histories/start-journey": AppDecoder(SeatCatcherJourney.self),
    ]

    private static let moup: [String: AppDecoder] = [
        "POST /auth/login": AppDecoder(MOUPSignIn.self),
        "PATCH /auth/login/register": AppDecoder(MOUPRole.self),
        "POST /auth/token/refresh": AppDecoder(MOUPTokens.self),
        "GET /users/profiles": AppDecoder(MOUPProfile.self),
        "PATCH /users/nickname": AppDecoder(MOUPNickname.self),
        "PATCH /users/fcm-token": AppDecoder(MOUPUser.self),
        "PATCH /users/logout": AppDecoder(MOUPUser.self),
        "DELETE /users": AppDecoder(MOUPWithdrawal.self),
        "GET /home": AppDecoder(MOUPHome.self),
        "POST /workplaces": AppDecoder(MOUPWorkplaceID.self),
        "GET /workplaces": AppDecoder(MOUPWorkplaces.self),
        "GET /workplaces/{workplaceId}": AppDecoder(MOUPWorkplace.self),
        "PUT /workplaces/{workplaceId}/invite-code": AppDecoder(MOUPInvite.self),
        "GET /workplaces/invite-codes/{inviteCode}": AppDecoder(MOUPInvited.self),
        "POST /workplaces/join": AppDecoder(MOUPJoined.self),
        "GET /workplaces/{workplaceId}/workers": AppDecoder(MOUPWorkers.self),
        "GET /workplaces/{workplaceId}/workers/me": AppDecoder(MOUPOwnAttendance.self),
        "GET /workplaces/{workplaceId}/workers/{workerId}": AppDecoder(MOUPWorkerAttendance.self),
        "POST /workplaces/{workplaceId}/workers/me/works": AppDecoder(MOUPShiftIDs.self),
        "POST /workplaces/{workplaceId}/works/batch": AppDecoder(MOUPBatch.self),
        "GET /workplaces/{workplaceId}/workers/me/works": AppDecoder(MOUPShifts.self),
        "GET /works": AppDecoder(MOUPShifts.self),
        "GET /workplaces/{workplaceId}/works": AppDecoder(MOUPShifts.self),
        "GET /works/{workId}": AppDecoder(MOUPShiftDetail.self),
        "PATCH /works/recurring/{workId}": AppDecoder(MOUPShiftIDs.self),
        "PATCH /workplaces/{workplaceId}/workers/{workerId}/works/recurring/{workId}": AppDecoder(MOUPShiftIDs.self),
        "POST /workplaces/{workplaceId}/workers/me/works/start": AppDecoder(MOUPShiftIDs.self),
        "POST /routines": AppDecoder(MOUPRoutineID.self),
        "GET /routines": AppDecoder(MOUPRoutineSummaries.self),
        "GET /routines/today": AppDecoder(MOUPRoutinesToday.self),
        "GET /routines/{routineId}": AppDecoder(MOUPRoutineDetail.self),
        "GET /routines/works/{workId}/routines": AppDecoder(MOUPRoutineSummaries.self),
        "GET /alarms/announcements": AppDecoder([MOUPAnnouncement].self),
        "GET /alarms/notifications": AppDecoder([MOUPNotification].self),
        "PATCH /alarms/notifications/{notificationId}/read": AppDecoder(MOUPNotification.self),
    ]
}
