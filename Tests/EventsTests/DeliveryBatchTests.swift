import FoundationEssentials
import ServiceKit
import Testing

@testable import Events

struct DeliveryBatchTests {
    private func deliveries(_ sizes: [Int], traces: [String?] = []) -> [Delivery] {
        sizes.enumerated().map { place, size in
            Delivery(
                event: Int64(place),
                id: UUID(),
                name: "auth.step-taken",
                body: String(repeating: "0", count: size),
                trace: place < traces.count ? traces[place] : nil,
                refusals: 0
            )
        }
    }

    private func cut(_ sizes: [Int]) -> [[Int64]] {
        DeliveryBatch.batches(of: deliveries(sizes)).map { $0.deliveries.map(\.event) }
    }

    @Test func batch_isLimitedTo256Events() {
        #expect(cut([]) == [])
        #expect(cut(Array(repeating: 1, count: 256)).map(\.count) == [256])
        #expect(cut(Array(repeating: 1, count: 600)).map(\.count) == [256, 256, 88])
    }

    @Test func batch_isLimitedToOneMebibyte() {
        let half = 1 << 19
        #expect(cut([half, half, 1, half, half]) == [[0, 1], [2, 3], [4]])
        #expect(cut([1, 3 << 20, 1, 1]) == [[0], [1], [2, 3]])
    }

    @Test func batchJSON_isListForSeveralEvents() throws {
        struct Body: Codable, Sendable, Equatable { var number: Int }
        let few = (1...3).map { number in
            Delivery(
                event: Int64(number),
                id: UUID(),
                name: "auth.step-taken",
                body: #"{"number":\#(number)}"#,
                refusals: 0
            )
        }
        for list in [[few[0]], few] {
            let json = try #require(DeliveryBatch.batches(of: list).first).json
            #expect(json.hasPrefix(#"{"events":["#) == (list.count > 1))
            let batch = try JSONDecoder().decode(EventBatch<EventEnvelope<Body>>.self, from: Data(json.utf8))
            #expect(batch.events.map(\.id) == list.map(\.id))
            #expect(batch.events.map(\.body.number) == list.map { Int($0.event) })
        }
    }

    @Test func batchTrace_isCommonTraceOfEvents() throws {
        let (one, other) = (TraceContext().headerValue, TraceContext().headerValue)
        func trace(_ traces: [String?]) -> String? {
            let all = deliveries(traces.map { _ in 1 }, traces: traces)
            return DeliveryBatch.batches(of: all).first?.trace?.headerValue
        }
        #expect(trace([one]) == one)
        #expect(trace([one, one]) == one)
        #expect(trace([one, other]) == nil)
        #expect(trace([one, nil]) == nil)
        #expect(trace([nil]) == nil)
    }
}
