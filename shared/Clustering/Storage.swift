/// Memory of a fixed number of plain values, without checks: what the searches spend their time in. Parts of it may be
/// written from several cores at once, each its own; the compiler cannot know which.
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
