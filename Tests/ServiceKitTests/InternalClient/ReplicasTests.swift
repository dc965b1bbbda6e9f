import Testing

@testable import ServiceKit

@Suite struct ReplicasTests {
    private let start = ContinuousClock.now

    @Test func calls_useAddressesInTurn() {
        let replicas = Replicas(["a", "b"])
        let used = (0..<4).map { _ in replicas.address(replicas.turn(), at: start) }
        #expect(used == ["a", "b", "a", "b"])
    }

    @Test func refusingAddress_isLeftOutForASecond() {
        let replicas = Replicas(["a", "b"])
        replicas.refused("b", at: start)
        #expect((0..<4).map { replicas.address($0, at: start + .milliseconds(999)) } == ["a", "a", "a", "a"])
        #expect((0..<4).map { replicas.address($0, at: start + .seconds(1)) } == ["a", "b", "a", "b"])
    }

    @Test func addressesThatAllRefuse_areUsedInTurn() {
        let replicas = Replicas(["a", "b"])
        for address in ["a", "b"] { replicas.refused(address, at: start) }
        #expect((0..<4).map { replicas.address($0, at: start) } == ["a", "b", "a", "b"])
    }
}
