import Apps
import Contracts
import Testing

@testable import ServiceKit

/// A handler that does not fit its operation ends the program at its start, with a sentence that names the operation.
@Suite struct MountedOperationsTests {
    private let mounted = MountedOperations()

    private func problem(_ operation: KeyPath<SeatCatcher, Operation>, isForUsers: Bool) -> String? {
        mounted.problem(mounting: SeatCatcher()[keyPath: operation], of: .seatcatcher, isForUsers: isForUsers)
    }

    @Test func secondHandler_isRefused() {
        #expect(problem(\.searchStations, isForUsers: true) == nil)
        #expect(problem(\.searchStations, isForUsers: true) == "GET /stations of seatcatcher is mounted twice")
    }

    @Test func handlerForAnyone_ofOperationForUsers_isRefused() {
        let problem = problem(\.searchStations, isForUsers: false)
        #expect(problem == "GET /stations of seatcatcher has a handler for anyone")
    }

    @Test func handlerForUsers_ofOperationForAnyone_isRefused() {
        #expect(problem(\.refreshTokens, isForUsers: false) == nil)
        let other = MountedOperations()
            .problem(mounting: SeatCatcher().refreshTokens, of: .seatcatcher, isForUsers: true)
        #expect(other == "POST /token/refresh of seatcatcher has a handler for users only")
    }
}
