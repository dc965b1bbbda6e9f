import TestKit
import Testing

@testable import Stack
@testable import StackKit

/// The console of a whole stack in a browser. What is checked there is in `Tests/Interoperability/console_pages.py`.
@Suite(.timeLimit(.minutes(15))) struct ConsolePagesTests {
    @Test(.enabled(PlaywrightScript.installation) { await PlaywrightScript.isInstalled() })
    func everyPage_isUsable_byBothRoles_byKeyboard_narrow_andWhileAServiceStandsStill() async throws {
        try await StackFixture.run { fixture in
            let up = try await fixture.run("up", variables: ["TRACES_KEPT": "1"])
            try #require(up.isSuccess, "\(up.text)")
            let demo = try await fixture.run("demo")
            #expect(demo.isSuccess, "\(demo.text)")
            let variables = [
                "MADANG_URL": "http://127.0.0.1:\(fixture.port("GATEWAY_PORT"))", "STACK": fixture.executable,
                "LOCAL": fixture.folder.path,
            ]
            let (isUsable, text) = try await PlaywrightScript.run("console_pages.py", variables)
            #expect(isUsable, "\(text)")
        }
    }
}
