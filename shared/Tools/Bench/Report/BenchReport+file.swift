import FoundationEssentials
import StackKit

extension BenchReport {
    /// The text of the file, with sorted names, so that two files differ where figures do.
    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }

    /// - Throws: `StackError` if the file cannot be written.
    func save(to path: String) throws {
        do { try json.write(to: URL(filePath: path), options: .atomic) } catch {
            throw StackError("\(path) cannot be written")
        }
    }

    /// Reads a file of `bench --save`.
    ///
    /// - Throws: `StackError` if there is no file, or not such a one.
    static func read(_ path: String) throws -> BenchReport {
        guard let data = FileManager.default.contents(atPath: path) else { throw StackError("\(path) cannot be read") }
        return try parse(data, from: path)
    }

    /// - Parameter path: For errors.
    static func parse(_ data: Data, from path: String) throws -> BenchReport {
        struct Head: Decodable {
            var format: Int
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let head = try? decoder.decode(Head.self, from: data) else {
            throw StackError("\(path) is no report of `bench --save`")
        }
        guard head.format == format else {
            throw StackError("\(path) has format \(head.format), and this bench reads format \(format)")
        }
        do { return try decoder.decode(BenchReport.self, from: data) } catch {
            throw StackError("\(path) is a damaged report: \(error)")
        }
    }
}
