import Testing

@testable import Files

@Suite struct ByteRangeTests {
    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=0-9", 0..<10), ("bytes=10-", 10..<1000), ("bytes=990-5000", 990..<1000),
        ("bytes=-1", 999..<1000), ("bytes=-5000", 0..<1000), ("Bytes=5-7", 5..<8),
        ("bytes=5-99999999999999999999999", 5..<1000),
    ])
    func satisfiableRange_isPart(field: String, range: Range<Int>) {
        #expect(ByteRange(field, size: 1000) == .part(range))
    }

    @Test(arguments: ["bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=99999999999999999999-"])
    func rangeBeyondEnd_isUnsatisfiable(field: String) {
        #expect(ByteRange(field, size: 1000) == .unsatisfiable)
    }

    @Test(arguments: [
        nil, "", "bytes=", "bytes=-", "bytes=x-1", "bytes=7-3", "bytes=0-1,4-5", "pages=1-2", "bytes=1--2",
    ])
    func invalidRange_isWholeFile(field: String?) {
        #expect(ByteRange(field, size: 1000) == .whole)
    }

    @Test func rangeOfEmptyFile_isUnsatisfiable() {
        #expect(ByteRange("bytes=0-", size: 0) == .unsatisfiable && ByteRange("bytes=-1", size: 0) == .unsatisfiable)
        #expect(ByteRange(nil, size: 0) == .whole)
    }
}
