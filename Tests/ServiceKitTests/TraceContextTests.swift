import ServiceKit
import Testing

@Suite struct TraceContextTests {
    private let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func child_keepsTraceID() throws {
        let trace = try #require(TraceContext(header: header))
        #expect(trace.headerValue == header)
        #expect(trace.child.traceID == trace.traceID)
        #expect(trace.child.spanID != trace.spanID)
    }

    @Test func newTrace_roundTrips() {
        let trace = TraceContext()
        #expect(TraceContext(header: trace.headerValue) == trace)
    }

    @Test(arguments: [
        "", "00",
        "00-0-0-01", "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-zz",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
    ])
    func invalidHeader_isNil(header: String) {
        #expect(TraceContext(header: header) == nil)
    }
}
