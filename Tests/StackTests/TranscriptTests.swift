import Testing

@testable import Stack

@Suite struct TranscriptTests {
    @Test func shortText_truncatesTokensAndLongResponses() {
        let token = String(repeating: "aB3-_.", count: 20)
        #expect(Transcript.short(#"{"accessToken":"\#(token)","id":1}"#) == #"{"accessToken":"aB3-_.aB3-_.…","id":1}"#)
        #expect(Transcript.short("강남역") == "강남역")
        #expect(Transcript.short(String(repeating: "가 ", count: 200)).count == 201)
    }
}
