import Testing

@testable import StackKit

@Suite struct ClusterLinkTests {
    /// The text is that of `tc qdisc show` (iproute2, tc/q_netem.c).
    @Test func impairment_isReadFromTheQueue() {
        let queue = "qdisc netem 8001: root refcnt 2 limit 100000 delay 50ms  10ms loss 1%\n"
        #expect(ClusterLink.impairment(queue) == "delay 50ms 10ms loss 1%")
        #expect(ClusterLink.impairment("qdisc noqueue 0: root refcnt 2 \n") == "")
    }

    @Test func links_connectAllHostsAndClients() {
        let network = ClusterNetwork(number: 7, token: "a1")
        let all = ClusterLink.all(network, size: 3).map(\.name)
        #expect(all == ["1–clients", "1–2", "1–3", "2–clients", "2–3", "3–clients"])
        #expect(ClusterLink.all(of: 2, network, size: 3).map(\.name) == ["2–clients", "1–2", "2–3"])
    }

    @Test func state_isAPhrase() {
        #expect("\(ClusterLink.State(isCut: true, impairment: "delay 50ms"))" == "cut, delay 50ms")
        #expect("\(ClusterLink.State(isCut: false, impairment: ""))" == "whole")
    }
}
