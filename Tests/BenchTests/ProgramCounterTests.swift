import StackKit
import Testing

@testable import Bench

@Suite struct ProgramCounterTests {
    @Test func report_isAddedUpByEvent() throws {
        let report = """
            1200;;raw_syscalls:sys_enter;4005317;100.00;;
            30;;madang:malloc;4005317;100.00;;
            7;;madang:malloc;4005317;100.00;;

            """
        #expect(try ProgramCounter.counts(in: report) == ["raw_syscalls:sys_enter": 1200, "madang:malloc": 37])
    }

    @Test func eventThatWasNotCounted_isAnError() {
        #expect(throws: StackError.self) {
            try ProgramCounter.counts(in: "<not counted>;;madang:malloc;0;0.00;;\n")
        }
    }

    @Test func everyKind_hasEvents() {
        #expect(ProgramCounter.Kind.allCases.allSatisfy { !$0.events.isEmpty })
    }
}
