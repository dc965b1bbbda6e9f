import Apps
import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Values

/// Writes listings of lists as JSON (Anlaka contract 1.7, EstateSummary). Written by hand, since an encoder would take
/// most of the time of a map response.
struct EstateText {
    private(set) var buffer: ByteBuffer

    init(capacity: Int = 1024) {
        buffer = ByteBufferAllocator().buffer(capacity: capacity)
    }

    /// Appends one listing.
    ///
    /// - Parameter distance: Metres; absent outside searches by position.
    mutating func append(_ listing: ListingEntry, distance: Double? = nil) {
        buffer.writeImmutableBuffer(listing.text)
        append(#","geolocation":"#)
        append(listing.position.seen)
        if let distance {
            append(#","distance":"#)
            append(distance)
        }
        append(#","like_count":"#)
        append(listing.likeCount)
        append("}")
    }

    /// `{"longitude":…,"latitude":…}`
    mutating func append(_ place: Coordinate) {
        append(#"{"longitude":"#)
        append(place.longitude)
        append(#","latitude":"#)
        append(place.latitude)
        append("}")
    }

    /// `"…","…"`
    mutating func append(_ ids: PackedIDs) {
        let size = PackedIDs.digitCount + 2
        for index in ids.indices {
            if index > 0 { append(",") }
            _ = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { bytes in
                bytes[0] = UInt8(ascii: "\"")
                ids.writeDigits(of: index, to: UnsafeMutableRawBufferPointer(rebasing: bytes[1...]))
                bytes[size - 1] = UInt8(ascii: "\"")
                return size
            }
        }
    }

    mutating func append(_ text: String) { buffer.writeString(text) }

    /// The number must be finite.
    mutating func append(_ number: some LosslessStringConvertible & Numeric) { append(number.description) }

    /// Quoted and escaped.
    mutating func append(string: String) {
        guard string.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
            append("\"")
            append(string)
            append("\"")
            return
        }
        append(JSONText.string(string))
    }
}

extension Response {
    /// `{"data":[…]}`, with distances in searches by position, and with `next_cursor` in paged lists.
    static func estates(_ listings: [(ListingEntry, distance: Double?)], next: String? = nil) -> Response {
        var text = EstateText(capacity: 64 + 900 * listings.count)
        text.append(#"{"data":["#)
        for (index, (listing, distance)) in listings.enumerated() {
            if index > 0 { text.append(",") }
            text.append(listing, distance: distance)
        }
        text.append("]")
        if let next {
            text.append(#","next_cursor":"#)
            text.append(string: next)
        }
        text.append("}")
        return Response(
            status: .ok,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: text.buffer)
        )
    }
}
