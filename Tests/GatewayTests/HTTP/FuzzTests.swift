import NIOCore
import Testing
import Values

@testable import Gateway

/// Mutated input: parsing ends with a result, and the result does not depend on how the bytes are fragmented.
struct FuzzTests {
    /// SplitMix64 with a fixed start, so that a failure can be repeated.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private static let seeds = [
        "GET /a/b%20c?d=Optional(%22e%22)&f=g HTTP/1.1\r\nHost: h:80\r\nConnection: close, x\r\nX: y\r\n\r\n",
        "POST http://h/a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n",
        "PUT /v1/users/me/profile/ HTTP/1.1\r\nHost: h\r\nContent-Length: 12\r\nAuthorization: Bearer a.b.c\r\n\r\n",
    ]
    private static let pieces = Array("\r\n\r\n \t:/%2e.?#\u{0}\u{7f}HTTP/1.1chunked0123456789abcdef,;=".utf8)

    private static func mutated(_ text: String, _ numbers: inout Numbers) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &numbers) {
            let place = Int.random(in: 0..<bytes.count, using: &numbers)
            let piece = pieces.randomElement(using: &numbers) ?? 0
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0: bytes[place] = piece
            case 1: bytes.insert(piece, at: place)
            case 2: bytes.remove(at: place)
            default: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
            }
        }
        return bytes
    }

    private static func describe(_ bytes: [UInt8]) -> String {
        do {
            let (head, target) = try readHead(String(decoding: bytes, as: UTF8.self))
            return "\(head.method) \(target.text) \(head.body) \(head.fields.lines.map(\.value))"
        } catch {
            return "\(error)"
        }
    }

    @Test func mutatedHead_hasSameResultAtAnyFragmentation() throws {
        var numbers = Numbers(state: 1)
        for turn in 0..<3_000 {
            let bytes = Self.mutated(Self.seeds[turn % Self.seeds.count], &numbers)
            // ASCII only: anything else changes its length on the way through a string.
            guard bytes.allSatisfy({ $0 < 0x80 }) else { continue }
            var scanner = HeadScanner()
            var whole = HeadScanner()
            let all = ByteBuffer(bytes: bytes)
            let atOnce = Result { () throws(HTTPFault) in
                try whole.end(of: all.readableBytesUInt8Span, sizeLimit: 1000, lineLimit: 10)
            }
            var inPieces: Result<Int?, HTTPFault> = .success(nil)
            for length in 1...bytes.count {
                let part = ByteBuffer(bytes: bytes[..<length])
                inPieces = Result { () throws(HTTPFault) in
                    try scanner.end(of: part.readableBytesUInt8Span, sizeLimit: 1000, lineLimit: 10)
                }
                if inPieces != .success(nil) { break }
            }
            #expect(atOnce == inPieces)
            _ = Self.describe(bytes)
        }
    }

    @Test func normalizedTarget_isIdempotent() throws {
        var numbers = Numbers(state: 2)
        for _ in 0..<5_000 {
            let bytes = Self.mutated("/a/b%20c/%EA%b0/d?e=%2f&f", &numbers)
            guard bytes.allSatisfy({ $0 < 0x80 }) else { continue }
            guard let once = try? readTarget(String(decoding: bytes, as: UTF8.self)) else { continue }
            let again = try readTarget(once.text)
            #expect(again.text == once.text)
            let path = String(decoding: once.bytes[..<once.pathEnd], as: UTF8.self)
            #expect(!path.contains("/../") && !path.lowercased().contains("%2e") && !path.lowercased().contains("%2f"))
        }
    }

    @Test func mutatedChunks_haveSameResultAtAnyFragmentation() {
        var numbers = Numbers(state: 3)
        for _ in 0..<1_000 {
            let bytes = Self.mutated(
                "5\r\nhello\r\n1a\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\nT: v\r\n\r\nGET / HTTP/1.1",
                &numbers
            )
            let results = [bytes.count, 1, 3].map { Self.chunks(bytes, piece: $0) }
            #expect(results[0] == results[1] && results[1] == results[2])
        }
    }

    /// The end and the content of a chunked body that is read in pieces.
    private static func chunks(_ bytes: [UInt8], piece: Int) -> String {
        var reader = ChunkReader()
        var position = 0
        var content: [UInt8] = []
        do {
            while position < bytes.count, !reader.isAtEnd {
                let part = ByteBuffer(bytes: bytes[position..<min(position + piece, bytes.count)])
                var index = 0
                while index < part.readableBytes, !reader.isAtEnd {
                    let step = try reader.step(part.readableBytesUInt8Span, from: index)
                    if case .content(let range) = step { content += part.readableBytesView[range] }
                    index = step.upperBound
                }
                position += index
            }
        } catch {
            return "\(error) after \(content)"
        }
        return "\(position) \(reader.isAtEnd) \(content)"
    }
}
