/// Madang beside pgbench with several numbers of clients, of which the best is the yardstick.
enum PoolContender: Hashable, Sendable {
    case ours
    case pgbench(clients: Int)

    /// - Parameter clients: The numbers to try.
    static func all(clients: [Int]) -> [PoolContender] { [.ours] + clients.map { .pgbench(clients: $0) } }

    var name: String {
        switch self {
        case .ours: "Madang"
        case .pgbench(let clients): "pgbench with \(clients) clients"
        }
    }
}

extension Rounds<PoolContender, Double> {
    /// The best of pgbench.
    ///
    /// - Parameter options: Of pgbench, for the name.
    func yardstick(_ options: String, clients: [Int]) -> BenchResult.Yardstick? {
        guard case .pgbench(let count) = best(of: clients.map { .pgbench(clients: $0) }) else { return nil }
        let numbers = clients.map(String.init)
        let list = numbers.dropLast().joined(separator: ", ") + " and \(numbers.last ?? "")"
        return BenchResult.Yardstick(
            name: "pgbench \(options), the best of \(list) clients (\(count))",
            samples: samples(of: .pgbench(clients: count))
        )
    }
}
