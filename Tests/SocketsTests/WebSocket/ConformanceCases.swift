/// One case: the sent bytes, the expected data and control frames, and the code of the Close frame.
struct ConformanceCase: Sendable, CustomStringConvertible {
    var description: String
    var sent: [Wire]
    var answered: [Wire]
    /// The code of the final Close frame; nil stands for an empty Close frame.
    var closeCode: UInt16?

    /// A case that the client ends itself, by 1000.
    static func good(_ name: String, _ sent: [Wire], _ answered: [Wire]) -> ConformanceCase {
        ConformanceCase(description: name, sent: sent + [.close(1000)], answered: answered, closeCode: 1000)
    }

    /// A case in which the server fails the connection.
    static func bad(_ name: String, _ sent: [Wire], _ answered: [Wire] = [], code: UInt16 = 1002) -> ConformanceCase {
        ConformanceCase(description: name, sent: sent, answered: answered, closeCode: code)
    }

    static let all = framing + pings + reserved + opcodes + fragmentation + text + closing + limits
}

/// A message as the server echoes it.
private func echo(_ text: String) -> Wire { reply(0x1, Array(text.utf8)) }
private func reply(_ opcode: UInt8, _ payload: [UInt8]) -> Wire {
    Wire(first: 0x80 | opcode, payload: payload, isMasked: false)
}

extension ConformanceCase {
    /// Section 1: sizes around every form of a length, text and binary.
    private static let framing = [0, 1, 125, 126, 127, 128, 65_535, 65_536].flatMap { size in
        let payload = [UInt8](repeating: 0x2a, count: size)
        return [
            good("1.1 text of \(size) bytes", [.data(1, payload)], [reply(1, payload)]),
            good("1.2 binary of \(size) bytes", [.data(2, payload)], [reply(2, payload)]),
        ]
    }

    /// Section 2.
    private static let pings = [
        good("2.1 empty ping", [.ping()], [reply(0xA, [])]),
        good("2.2 ping with text", [.ping(Array("hello".utf8))], [reply(0xA, Array("hello".utf8))]),
        good("2.3 ping with bytes", [.ping([0, 0xff, 0xfe])], [reply(0xA, [0, 0xff, 0xfe])]),
        good(
            "2.4 longest ping",
            [.ping(Array(repeating: 0xfe, count: 125))],
            [reply(0xA, Array(repeating: 0xfe, count: 125))]
        ),
        bad("2.5 ping too long", [.ping(Array(repeating: 0xfe, count: 126))]),
        good("2.7 unsolicited pong", [.pong()], []),
        good("2.8 unsolicited pong with a payload", [.pong([1])], []),
        good("2.9 pong, then ping", [.pong([1]), .ping([2])], [reply(0xA, [2])]),
        good("2.10 ten pings", (0..<10).map { .ping([$0]) }, (0..<10).map { reply(0xA, [$0]) }),
    ]

    /// Section 3, and masks (RFC 6455 §5.1).
    private static let reserved =
        ([0x40, 0x20, 0x10, 0x70] as [UInt8]).map { bits in
            bad("3 reserved bits \(bits)", [.text("a"), Wire(first: 0x81 | bits, payload: [0x62])], [echo("a")])
        } + [
            bad("3.6 reserved bits of a ping", [Wire(first: 0xd9, payload: [])]),
            bad("3.7 reserved bits of a close", [Wire(first: 0xf8, payload: [])]),
            bad("5.1 a text that is not masked", [Wire(first: 0x81, payload: [0x62], isMasked: false)]),
            bad("5.1 a ping that is not masked", [Wire(first: 0x89, payload: [], isMasked: false)]),
            bad("5.1 a close that is not masked", [Wire(first: 0x88, payload: [], isMasked: false)]),
        ]

    /// Section 4.
    private static let opcodes = ([3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8]).flatMap { opcode in
        [
            bad("4 opcode \(opcode)", [.data(opcode)]),
            bad("4 opcode \(opcode) after a text", [.text("a"), .data(opcode, [1]), .ping()], [echo("a")]),
        ]
    }

    /// Section 5.
    private static let fragmentation = [
        bad("5.1 ping in fragments", [.data(9, [], isFinal: false), .more(isFinal: true)]),
        bad("5.2 pong in fragments", [.data(10, [], isFinal: false), .more(isFinal: true)]),
        good(
            "5.3 two fragments",
            [.text("frag", isFinal: false), .more(Array("ment".utf8), isFinal: true)],
            [echo("fragment")]
        ),
        good(
            "5.6 a ping between",
            [.text("frag", isFinal: false), .ping([7]), .more(Array("ment".utf8), isFinal: true)],
            [reply(0xA, [7]), echo("fragment")]
        ),
        bad("5.9 nothing to continue, final", [.more([1], isFinal: true), .text("a")]),
        bad("5.10 nothing to continue", [.more([1]), .text("a")]),
        bad(
            "5.15 a third fragment too many",
            [.text("a", isFinal: false), .more([0x62], isFinal: true), .more([1])],
            [echo("ab")]
        ),
        bad("5.18 a message inside of another", [.text("a", isFinal: false), .text("b")]),
        good(
            "5.19 many fragments and pings",
            [
                .text("1", isFinal: false), .more([0x32]), .ping([1]), .more([0x33]), .more([0x34]), .ping([2]),
                .more([0x35], isFinal: true),
            ],
            [reply(0xA, [1]), reply(0xA, [2]), echo("12345")]
        ),
        good("6.1 empty fragments", [.text("", isFinal: false), .more(), .more(isFinal: true)], [echo("")]),
        good(
            "6.1.3 text between empty ones",
            [.text("", isFinal: false), .more([0x61]), .more(isFinal: true)],
            [echo("a")]
        ),
        good(
            "10.1 a message in pieces of 1300 bytes",
            [.text("", isFinal: false)] + (0..<50).map { _ in .more(Array(repeating: 0x2a, count: 1300)) } + [
                .more(isFinal: true)
            ],
            [reply(1, Array(repeating: 0x2a, count: 65_000))]
        ),
    ]

    /// Section 6: texts that are UTF-8, and all the ways not to be.
    private static let text =
        UTF8Samples.valid.map { sample in good("6 \(hex(sample))", [.data(1, sample)], [reply(1, sample)]) }
        + UTF8Samples.valid.filter { $0.count > 1 }.map { sample in
            good(
                "6 \(hex(sample)) by fragments of a byte",
                [.data(1, [], isFinal: false)] + sample.map { .more([$0]) } + [.more(isFinal: true)],
                [reply(1, sample)]
            )
        }
        + UTF8Samples.invalid.flatMap { sample in
            [
                bad("6 \(hex(sample))", [.data(1, sample)], code: 1007),
                bad(
                    "6 \(hex(sample)) in fragments",
                    [.text("κ", isFinal: false), .more(sample), .more(isFinal: true)],
                    code: 1007
                ),
                good("6 \(hex(sample)) in binary", [.data(2, sample)], [reply(2, sample)]),
            ]
        }

    /// Section 7.
    private static let closing =
        [
            good("7.1 text, then close", [.text("a")], [echo("a")]),
            good("7.1.2 nothing after close", [.close(1000), .text("a")], []),
            good("7.1.3 no pong after close", [.close(1000), .ping()], []),
            good(
                "7.1.4 nothing continues after close",
                [.text("a", isFinal: false), .close(1000), .more(isFinal: true)],
                []
            ),
            ConformanceCase(description: "7.3.1 empty close", sent: [.close()], answered: [], closeCode: nil),
            bad("7.3.2 close of one byte", [.data(8, [3])]),
            good("7.3.4 close with a reason", [.close(1000, Array("bye".utf8))], []),
            good("7.3.5 close with the longest reason", [.close(1000, Array(repeating: 0x2a, count: 123))], []),
            bad("7.3.6 close too long", [.close(1000, Array(repeating: 0x2a, count: 124))]),
            bad("7.5.1 a reason that is not UTF-8", [.close(1000, [0xce, 0xba, 0xed, 0xa0, 0x80])], code: 1007),
        ]
        + ([1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999] as [UInt16])
        .map { code in bad("7.7 code \(code) is echoed", [.close(code)], code: code) }
        + ([0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535] as [UInt16]).map { code in
            bad("7.9 code \(code)", [.close(code)])
        }

    /// Section 9: sizes, in one frame and in many, up to the limit and past it.
    private static let limits =
        [64, 4096, 16_384, 131_072].map { piece in
            let count = 131_072 / piece
            let pieces = (0..<count).map { Wire.more(Array(repeating: 0x2a, count: piece), isFinal: $0 == count - 1) }
            return good(
                "9 128 KiB in pieces of \(piece)",
                [.data(2, [], isFinal: false)] + pieces,
                [reply(2, Array(repeating: 0x2a, count: 131_072))]
            )
        } + [
            bad("9 one byte too many", [.data(2, Array(repeating: 1, count: 131_073))], code: 1009),
            bad(
                "9 one byte too many in fragments",
                [.data(2, Array(repeating: 1, count: 131_072), isFinal: false), .more([1], isFinal: true)],
                code: 1009
            ),
        ]

    private static func hex(_ bytes: [UInt8]) -> String { bytes.map { String($0, radix: 16) }.joined(separator: " ") }
}
