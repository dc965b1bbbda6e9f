import Apps
import Hummingbird
import ServiceKit
import Testing

/// A handler that does not fit its operation ends the program at its start.
@Suite struct AppRoutesTests {
    private static func mount(_ body: (AppRoutes<SeatCatcher>) -> Void) {
        body(AppRouter(Router(context: AppRequestContext.self).group("")).app(SeatCatcher.self))
    }

    private static func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func secondHandler_endsProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.mount { app in
                for _ in 1...2 { app.on(\.searchStations) { (_, _: SignedInContext) in Response(status: .ok) } }
            }
        }
        #expect(Self.text(result).contains("GET /stations of seatcatcher is mounted twice"))
    }

    @Test func handlerForAnyone_ofOperationForUsers_endsProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.mount { app in app.on(\.searchStations) { (_, _: AppRequestContext) in Response(status: .ok) } }
        }
        #expect(Self.text(result).contains("GET /stations of seatcatcher has a handler for anyone"))
    }

    @Test func handlerForUsers_ofOperationForAnyone_endsProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.mount { app in app.on(\.refreshTokens) { (_, _: SignedInContext) in Response(status: .ok) } }
        }
        #expect(Self.text(result).contains("POST /token/refresh of seatcatcher has a handler for users only"))
    }
}
