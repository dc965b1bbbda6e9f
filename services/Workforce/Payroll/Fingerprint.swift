/// A 64-bit hash of bytes, the same in every process (Fowler, Noll and Vo: FNV-1a, 64 bits). Not collision-resistant
/// against attackers.
package struct Fingerprint {
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package var value: Int64 { Int64(bitPattern: hash) }

    package mutating func combine(_ bytes: [UInt8]) {
        combine(bytes.count)
        for byte in bytes { add(byte) }
    }

    package mutating func combine(_ number: Int) {
        for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
