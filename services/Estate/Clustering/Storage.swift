/// Unchecked memory for a fixed number of trivial values, for the inner loops of the searches. Disjoint parts may be
/// written from several cores at once, which the compiler cannot verify.
final class Storage<Element: BitwiseCopyable>: @unchecked Sendable {
    let base: UnsafeMutablePointer<Element>
    let count: Int

    init(_ count: Int, _ value: Element) {
        base = .allocate(capacity: max(1, count))
        base.initialize(repeating: value, count: max(1, count))
        self.count = count
    }

    deinit {
        base.deallocate()
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        get { base[index] }
        set { base[index] = newValue }
    }

    func fill(_ value: Element) {
        base.update(repeating: value, count: count)
    }
}
