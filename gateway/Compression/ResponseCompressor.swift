import NIOCore

/// Compresses the responses of one event loop, each when it is complete.
final class ResponseCompressor {
    /// The size of the contents that are held until they are complete, in bytes.
    private(set) var heldSize = 0
    /// Created for the first response, because it takes 256 kB.
    private lazy var encoder = GzipEncoder(level: 1)

    /// The largest size of the contents that are held at a time, in bytes. Further responses are sent as they are.
    private let limit: Int

    init(limit: Int = 16 * 1024 * 1024) {
        self.limit = limit
    }

    /// Holds a response back until it is complete.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of its head.
    ///   - size: The size of its content, in bytes.
    /// - Returns: nil if too much is held already.
    func hold(_ head: ResponseHead, _ bytes: ByteBuffer, size: Int) -> HeldResponse? {
        guard heldSize + size <= limit else { return nil }
        heldSize += size
        return HeldResponse(head: head, bytes: bytes, size: size, by: self)
    }

    func compress(_ content: ByteBuffer) -> ByteBuffer? { encoder?.encode(content) }

    fileprivate func release(size: Int) { heldSize -= size }
}

/// A response of a service that is sent when it is complete, compressed.
final class HeldResponse {
    let head: ResponseHead
    /// The bytes of the head.
    let bytes: ByteBuffer
    private(set) var content = ByteBuffer()
    private let size: Int
    private let compressor: ResponseCompressor

    fileprivate init(head: ResponseHead, bytes: ByteBuffer, size: Int, by compressor: ResponseCompressor) {
        self.head = head
        self.bytes = bytes
        self.size = size
        self.compressor = compressor
    }

    deinit { compressor.release(size: size) }

    func append(_ piece: ByteBuffer) {
        if content.readableBytes == 0, piece.readableBytes == size {
            content = piece
        } else {
            if content.readableBytes == 0 { content.reserveCapacity(size) }
            content.writeImmutableBuffer(piece)
        }
    }

    /// The compressed content; nil if it could not be compressed.
    func compressed() -> ByteBuffer? { compressor.compress(content) }
}
