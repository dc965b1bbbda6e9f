import NIOCore

/// Generates ids for requests and traces, which are unique but not secret. SplitMix64, seeded from the system once per
/// event loop, avoids a system call per id.
struct RandomIDs {
    private var state: UInt64

    init() {
        var system = SystemRandomNumberGenerator()
        state = system.next()
    }

    /// A random number other than 0, which W3C Trace Context forbids.
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

    /// Converts 32 bits to eight digits, one per byte of the word, in parallel.
    private static func hexDigits(_ value: UInt32) -> UInt64 {
        var spread = UInt64(value)
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = (spread | spread << 4) & 0x0F0F_0F0F_0F0F_0F0F
        // Each byte is 1 if its digit is above 9; 39 is the distance between `a` and the character after `9`.
        let letters = ((spread &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
        return spread &+ 0x3030_3030_3030_3030 &+ letters &* 39
    }
}
