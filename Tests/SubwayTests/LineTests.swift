import Subway
import Testing

@Suite struct LineTests {
    @Test func line_isParsedFromNumberAndName() {
        for line in Line.allCases {
            #expect(Line(parsing: line.number) == line)
            #expect(Line(parsing: line.rawValue) == line)
        }
        for text in ["", "0", "10", "LINE_10", "line_2", "２", "2 "] { #expect(Line(parsing: text) == nil) }
    }

    /// Line 2 is listed clockwise, which is the inner circle; line 1 is listed towards 청량리, which is up.
    @Test func lines_listStopsDownExceptTwo() {
        for line in Line.allCases {
            #expect(line.listed == (line == .line1 || line == .line2 ? .up : .down))
        }
    }
}
