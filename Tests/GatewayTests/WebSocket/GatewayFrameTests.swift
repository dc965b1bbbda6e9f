import Contracts
import NIOCore
import Testing

@testable import Gateway

struct GatewayFrameTests {
    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536, SocketMove.stateSize])
    func frame_isReadBack(size: Int) throws {
        let payload = ByteBuffer(bytes: (0..<size).map { UInt8(truncatingIfNeeded: $0) })
        let bytes = GatewayFrame(opcode: SocketMove.state, payload: payload).bytes(maskedBy: nil)
        for piece in [1, 7, 1024, bytes.readableBytes] where bytes.readableBytes / piece < 100_000 {
            var reader = GatewayFrameReader()
            var rest = bytes
            rest.writeString("behind")
            var frame: GatewayFrame?
            while frame == nil, var part = rest.readSlice(length: min(piece, rest.readableBytes)) {
                frame = try reader.read(&part)
                rest.moveReaderIndex(to: rest.readerIndex - part.readableBytes)
            }
            #expect(frame?.opcode == SocketMove.state && frame?.payload == payload)
            #expect(String(buffer: rest) == "behind")
        }
    }

    @Test func maskedFrame_isUnmaskedByItsKey() {
        let frame = GatewayFrame(opcode: 0x8, payload: ByteBuffer(bytes: [0x03, 0xe9, 0x41, 0x42, 0x43]))
        let bytes = Array(buffer: frame.bytes(maskedBy: 0x0102_0304))
        #expect(bytes[..<6] == [0x88, 0x85, 1, 2, 3, 4])
        #expect(bytes[6...].enumerated().map { $1 ^ bytes[2 + ($0 & 3)] } == [0x03, 0xe9, 0x41, 0x42, 0x43])
    }

    @Test(
        arguments: [
            [0x03, 0x01], [0xc3, 0x01], [0x83, 0x81], [0x83, 127, 0, 0, 0, 0, 0, 0x10, 0, 1],
            [0x83, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        ]
    )
    func malformedFrame_isRefused(_ bytes: [UInt8]) {
        var reader = GatewayFrameReader()
        var input = ByteBuffer(bytes: bytes)
        #expect(throws: GatewayFrameReader.Malformed.self) { try reader.read(&input) }
    }
}
