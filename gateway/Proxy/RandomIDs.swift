import NIOCore

/// Ids for requests and traces: unique, not secret. A small generator (SplitMix64), seeded by the system once per event
/// loop, since asking the system costs a call per number.
struct RandomIDs {
    private var state: UInt64

    init() {
        var system = SystemRandomNumberGenerator()
        state = system.next()
    }

    /// Never 0, which W3C Trace Context forbids.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return mixed == 0 ? next() : mixed
    }
}

extension ByteBuffer {
    /// Writes a number as 16 lower-case hexadecimal digits.
    mutating func writeHex(_ value: UInt64) {
        var digits: (UInt64, UInt64) = (0, 0)
        digits.0 = Self.hexDigits(UInt32(truncatingIfNeeded: value >> 32))
        digits.1 = Self.hexDigits(UInt32(truncatingIfNeeded: value))
        writeMultipleIntegers(digits.0, digits.1)
    }

    /// Eight digits in the eight bytes of a word, all at once.
    private static func hexDigits(_ value: UInt32) -> UInt64 {
        var spread = UInt64(value)
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = (spread | spread << 4) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in every byte whose digit is above 9; `a` is 39 after what would follow `9`.
        let letters = ((spread &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
        return spread &+ 0x3030_3030_3030_3030 &+ letters &* 39
    }
}
