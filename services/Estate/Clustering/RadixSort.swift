extension [SpanningTree.Edge] {
    /// The edges sorted by weight, in linear time: the bit patterns of non-negative numbers have the same order as the
    /// numbers.
    func sortedByWeight() -> [SpanningTree.Edge] {
        guard count > 256 else { return sorted { $0.squaredWeight < $1.squaredWeight } }
        var source = self
        var target = self
        var counts = Array<Int>(repeating: 0, count: 2048)
        for shift in stride(from: 0, to: 64, by: 11) {
            for index in counts.indices { counts[index] = 0 }
            source.withUnsafeBufferPointer { source in
                for edge in source {
                    counts[Int(truncatingIfNeeded: edge.squaredWeight.bitPattern >> shift) & 2047] += 1
                }
            }
            if counts.contains(count) { continue }
            var sum = 0
            for index in counts.indices { (counts[index], sum) = (sum, sum + counts[index]) }
            source.withUnsafeBufferPointer { source in
                target.withUnsafeMutableBufferPointer { target in
                    for edge in source {
                        let digit = Int(truncatingIfNeeded: edge.squaredWeight.bitPattern >> shift) & 2047
                        target[counts[digit]] = edge
                        counts[digit] += 1
                    }
                }
            }
            swap(&source, &target)
        }
        return source
    }
}
