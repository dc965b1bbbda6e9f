import FoundationEssentials
import Testing

@testable import Backups

@Suite struct BackupTimeTests {
    @Test(arguments: [
        "2026-11-25T12:34:56+09:00", "2026-11-25T03:34:56Z", "2026-11-25T03:34:56.000Z", "2026-11-25T12:34:56+0900",
    ])
    func time_isParsedWithItsOffset(text: String) {
        #expect(BackupTime.date(text)?.timeIntervalSince1970 == 1_795_577_696)
    }

    @Test(arguments: ["", "2026-11-25", "2026-11-25T12:34:56", "yesterday", "2026-13-25T12:34:56Z"])
    func otherText_isNoTime(text: String) {
        #expect(BackupTime.date(text) == nil)
    }

    @Test func times_areWritten() throws {
        let date = try #require(BackupTime.date("2026-11-25T03:34:56.789Z"))
        #expect(BackupTime.name(date) == "20261125T033456789Z")
        #expect(BackupTime.sql(date) == "2026-11-25T03:34:56.789+00")
        #expect(BackupTime.text(BackupTime.roundedUp(date)) == "2026-11-25T03:34:57Z")
    }

    @Test(arguments: [
        ("0/2000028", 1, "000000010000000000000002"), ("0/2FFFFFF", 1, "000000010000000000000002"),
        ("1/FF000000", 3, "0000000300000001000000FF"), ("1A/2000028", 16, "000000100000001A00000002"),
    ])
    func position_isInSegment(start: String, timeline: Int, expected: String) {
        let backup = BackupManifest(
            id: "",
            history: nil,
            began: .now,
            ended: .now,
            start: start,
            timeline: timeline,
            size: 0,
            pieces: [],
            password: ""
        )
        #expect(backup.firstLog == expected)
    }

    @Test func outputOfPrograms_isParsed() {
        let messages = """
            pg_basebackup: checkpoint completed
            pg_basebackup: write-ahead log start point: 0/2000028 on timeline 12
            pg_basebackup: write-ahead log end point: 0/2000100
            """
        #expect(BaseBackup.start(in: messages)?.position == "0/2000028")
        #expect(BaseBackup.start(in: messages)?.timeline == 12)
        #expect(BaseBackup.start(in: "pg_basebackup: error: connection failed") == nil)
        let line = """
            rmgr: Transaction len (rec/tot):     34/    34, tx:        726, lsn: 0/03001E30, prev 0/03001DE8, desc: COMMIT \
            2026-11-25 12:46:27.111792 UTC; inval msgs: catcache 55
            """
        #expect(ArchivedLog.time(in: line) == BackupTime.date("2026-11-25T12:46:27.111792Z"))
        #expect(ArchivedLog.time(in: "rmgr: Heap desc: INSERT") == nil)
    }
}
