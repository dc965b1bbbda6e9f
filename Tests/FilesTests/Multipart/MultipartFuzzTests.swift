import NIOCore
import TestKit
import Testing
import Values

@testable import Files

/// Compares the reader with a splitter that has the whole body in memory.
@Suite(.timeLimit(.minutes(2))) struct MultipartFuzzTests {
    /// Letters that make boundaries and similar sequences likely.
    private static let alphabet = Array("\r\n-ab\r\n--a x".utf8)

    @Test func reader_agreesWithReferenceSplitter() async throws {
        var random = SplitMix(state: 7)
        for _ in 0..<2000 {
            let boundary = ["a", "ab", "-", "--", "a-b", "aab"].randomElement(using: &random) ?? "a"
            let bodies = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                (0..<Int.random(in: 0...60, using: &random)).map { _ in Self.alphabet.randomElement(using: &random) ?? 0
                }
            }
            var whole: [UInt8] = Bool.random(using: &random) ? [] : Array("preamble\r\n".utf8)
            for body in bodies {
                whole += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n".utf8) + body
                whole += Array("\r\n".utf8)
            }
            whole += Array("--\(boundary)--\r\n".utf8)
            let sizes = (0..<9).map { _ in Int.random(in: 1...20, using: &random) }
            let found = await read(whole, boundary: boundary, sizes: sizes)
            #expect(
                (try? found.get()) == split(whole, boundary: boundary),
                "\(String(decoding: whole, as: UTF8.self).debugDescription)"
            )
        }
    }

    @Test func brokenForm_isReadEquallyInAnyChunks() async throws {
        var random = SplitMix(state: 11)
        let form = Array(
            "--ab\r\nContent-Disposition: form-data; name=\"n\"; filename=\"f\"\r\n\r\n\r\n-\r\n--a\r\n--ab--\r\n".utf8
        )
        for _ in 0..<3000 {
            var broken = form
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<broken.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: broken[place] = Self.alphabet.randomElement(using: &random) ?? 0
                case 1: broken.remove(at: place)
                default: broken.insert(Self.alphabet.randomElement(using: &random) ?? 0, at: place)
                }
            }
            let whole = await read(broken, boundary: "ab", sizes: [])
            let sizes = (0..<9).map { _ in Int.random(in: 1...5, using: &random) }
            #expect(await read(broken, boundary: "ab", sizes: sizes) == whole)
        }
    }

    /// The bodies of the parts, or the error.
    private func read(_ bytes: [UInt8], boundary: String, sizes: [Int]) async -> Result<[[UInt8]], MultipartError> {
        do {
            let boundary = try MultipartBoundary(contentTypes: ["multipart/form-data; boundary=\(boundary)"])
            let form = MultipartReader(CutBytes(bytes, sizes: sizes), boundary: boundary)
            var bodies: [[UInt8]] = []
            while try await form.nextPart() != nil {
                var body: [UInt8] = []
                for try await chunk in form.body { body += chunk.readableBytesView }
                bodies.append(body)
            }
            return .success(bodies)
        } catch let error as MultipartError {
            return .failure(error)
        } catch {
            Issue.record(error)
            return .success([])
        }
    }

    /// Splits at each `\r\n--boundary`; nil if the input is not a form.
    private func split(_ bytes: [UInt8], boundary: String) -> [[UInt8]]? {
        let delimiter = Array("\r\n--\(boundary)".utf8)
        var pieces: [[UInt8]] = [[]]
        var rest = (Array("\r\n".utf8) + bytes)[...]
        while let byte = rest.first {
            if rest.starts(with: delimiter) {
                pieces.append([])
                rest = rest.dropFirst(delimiter.count)
            } else {
                pieces[pieces.count - 1].append(byte)
                rest = rest.dropFirst()
            }
        }
        var bodies: [[UInt8]] = []
        for piece in pieces.dropFirst() {
            if piece.starts(with: "--".utf8) { return bodies }
            guard piece.first != UInt8(ascii: "-") else { return nil }
            let line = piece.drop { $0 == UInt8(ascii: " ") }
            guard line.starts(with: "\r\n".utf8) else { return nil }
            // In a part without a body the boundary may include the line end of the empty line.
            let headed = Array(line) + Array("\r\n".utf8)
            guard let end = headed.indices.first(where: { headed[$0...].starts(with: "\r\n\r\n".utf8) }) else {
                return nil
            }
            let headers = headed.prefix(end + 2).dropFirst(2)
            guard (try? MultipartPart(headers: Array(headers))) != nil else { return nil }
            bodies.append(Array(line.dropFirst(end + 4)))
        }
        return nil
    }
}
