import StackKit

/// Faults of the links of a cluster.
struct LinkFaults: Sendable {
    let network: ClusterNetwork
    let size: Int

    var links: [ClusterLink] { ClusterLink.all(network, size: size) }

    func action(for fault: PlannedFault) throws(FaultNotApplied) -> FaultAction {
        guard let link = links.first(where: { $0.name == fault.target.name }) else {
            throw FaultNotApplied("the cluster has no link \(fault.target.name).")
        }
        let words: [String]? =
            switch fault.kind {
            case .slowLink: ["delay", "\(fault.strength)ms"]
            case .lossyLink: ["loss", "\(fault.strength)%"]
            default: nil
            }
        return FaultAction {
            if let words { try await link.impair(words) } else { try await link.cut() }
            return "The link \(link.name) was \(words.map { "given \($0.joined(separator: " "))" } ?? "cut")."
        } end: {
            try await link.restore()
        }
    }

    func undo() async throws {
        for link in links { try await link.restore() }
    }
}
