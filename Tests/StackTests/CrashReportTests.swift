import FoundationEssentials
import TestKit
import Testing

@testable import Stack
@testable import StackKit

@Suite(.folder) struct CrashReportTests {
    private var folder: LocalFolder { TemporaryFolder.current.local }

    private func write(_ text: String) throws {
        try folder.prepare(leastFree: 0)
        try Data(text.utf8).write(to: URL(filePath: folder.log(of: "auth")))
    }

    @Test(arguments: [
        (
            "*** Signal 11: Backtracing from 0x1 ... done ***\n\n*** Program crashed: Bad pointer dereference at 0x0 ***\n",
            "Bad"
        ),
        ("auth/Domain.swift:3: Fatal error: Index out of range\n", "Index out of range"),
        ("the service has started\n", "it printed no reason"),
    ])
    func cause_namesReason(output: String, reason: String) throws {
        try write("an old line\n\(output)")
        #expect(CrashReport(log: LogFile(path: folder.log(of: "auth"))).cause.contains(reason))
    }

    @Test func missingLog_hasNoReason() {
        #expect(CrashReport(log: LogFile(path: folder.log(of: "auth"))).cause == "it printed no reason")
    }

    @Test func reports_areLimitedToNewestTwenty() throws {
        try write("last words")
        try FileManager.default.createDirectory(atPath: folder.crashes, withIntermediateDirectories: true)
        for year in 1990..<2020 {
            let name = "\(folder.crashes)/\(year % 2 == 0 ? "seats" : "chat")-\(year)-01-01T00-00-00Z.log"
            try Data().write(to: URL(filePath: name))
        }
        CrashReport(log: LogFile(path: folder.log(of: "auth"))).save(in: folder.crashes, as: "auth")
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder.crashes)
        #expect(kept.count == 20)
        #expect(kept.contains { $0.hasPrefix("auth-") } && kept.contains { $0.contains("-2019-") })
        #expect(!kept.contains { $0.contains("-2000-") })
    }
}
