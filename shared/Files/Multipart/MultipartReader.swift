package import NIOCore

/// Reads `multipart/form-data` (RFC 7578) part by part while it arrives, without buffering it.
///
///     while let part = try await form.nextPart() {
///         switch part.name {
///         case "nick": nick = try await form.text(upTo: 200)
///         case "profile": image = try await files.receive(form.body, …)
///         default: continue
///         }
///     }
///
/// The unread rest of a part is skipped. Every method throws `MultipartError`, and the errors of the source.
package final class MultipartReader<Source: AsyncSequence> where Source.Element == ByteBuffer {
    private var source: Source.AsyncIterator
    private var parser: MultipartParser
    private var current: MultipartPart?

    package init(_ source: Source, boundary: MultipartBoundary, limits: MultipartLimits = MultipartLimits()) {
        self.source = source.makeAsyncIterator()
        parser = MultipartParser(boundary, limits: limits)
    }

    /// The next part; nil after the closing boundary.
    package func nextPart() async throws -> MultipartPart? {
        while try await nextChunk() != nil {}
        guard case .part(let part) = try await nextEvent() else { return nil }
        current = part
        return part
    }

    /// The bytes of the current part.
    package var body: Body { Body(reader: self) }

    /// The current part as text.
    ///
    /// - Parameter limit: The maximum size, in bytes.
    package func text(upTo limit: Int) async throws -> String {
        let name = current?.name ?? ""
        var text = ByteBuffer()
        while let chunk = try await nextChunk() {
            guard text.readableBytes + chunk.readableBytes <= limit else {
                throw MultipartError.partTooLarge(name: name, limit: limit)
            }
            text.writeImmutableBuffer(chunk)
        }
        guard let text = String(validating: text.readableBytesView, as: UTF8.self) else {
            throw MultipartError.textUnreadable(name: name)
        }
        return text
    }

    private func nextChunk() async throws -> ByteBuffer? {
        guard current != nil else { return nil }
        if case .bytes(let bytes) = try await nextEvent() { return bytes }
        current = nil
        return nil
    }

    private func nextEvent() async throws -> MultipartParser.Event {
        while true {
            if let event = try parser.next() { return event }
            guard let chunk = try await source.next(isolation: #isolation) else {
                try parser.checkEnd()
                return .end
            }
            parser.feed(chunk)
        }
    }

    /// The bytes of the reader's current part.
    package struct Body: AsyncSequence, AsyncIteratorProtocol {
        fileprivate let reader: MultipartReader

        package func makeAsyncIterator() -> Body { self }

        package func next() async throws -> ByteBuffer? {
            try await reader.nextChunk()
        }

        package func next(isolation actor: isolated (any Actor)?) async throws -> ByteBuffer? {
            try await reader.nextChunk()
        }
    }
}
