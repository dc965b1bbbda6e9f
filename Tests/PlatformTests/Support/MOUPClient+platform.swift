import AppClients
import Apps
import Contracts

extension MOUPClient {
    /// A registered user.
    ///
    /// - Parameters:
    ///   - subject: the user's `sub` at Google.
    ///   - device: the FCM token; empty when the app has none.
    init(_ platform: Platform, subject: Int, nickname: String, role: String, device: String = "") async throws {
        self.init(platform.gateway, observer: Platform.observer)
        let code = try await platform.sandboxClient.googleCode("\(subject)", name: "구글")
        if try await signIn(code: code, device: device).status == 201 {
            try await register(nickname, as: role).expect()
        }
        try await profile()
    }

    /// Joins a workplace that the owner opens, and is accepted.
    func work(for owner: MOUPClient) async throws -> (workplace: WorkplaceID, worker: WorkerID) {
        let workplace = try await owner.openWorkplace()
        let code = try await owner.inviteCode(workplace)
        try await send(\.getWorkplaceByInviteCode, code.lowercased()).expect()
        let id = try await join(code)
        try await send(\.listWorkplaceShifts, workplace, query: "baseYearMonth=2025-11").expect(403)
        try await owner.send(\.acceptWorker, workplace, id).expect(204)
        return (workplace, id)
    }
}
