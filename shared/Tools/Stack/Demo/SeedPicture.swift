/// A generated picture of a house: a PNG of 160 by 120 pixels in 16 colours, without compression.
enum SeedPicture {
    static let variants = 12

    private static let (width, height) = (160, 120)

    /// The bytes of the file.
    static func png(_ variant: Int) -> [UInt8] {
        var header = be32(UInt32(width)) + be32(UInt32(height))
        // Four bits per pixel, with a palette.
        header += [4, 3, 0, 0, 0]
        let palette = colours(variant).flatMap { [UInt8($0 >> 16 & 255), UInt8($0 >> 8 & 255), UInt8($0 & 255)] }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", header) + chunk("PLTE", palette) + chunk("IDAT", zlib(rows(variant))) + chunk("IEND", [])
    }

    /// Sky, ground, wall, window, lit window, roof, door.
    private static func colours(_ variant: Int) -> [Int] {
        let skies = [0x9CC9E8, 0xF6D9B8, 0xC9D7F0, 0x2E3B5E]
        let walls = [0xE8DCC8, 0xC97B5A, 0xD9D9D9, 0xB8C4A6, 0xEFE6D8, 0x8FA3B5]
        return [
            skies[variant % 4], 0x8FB07A, walls[variant % 6], 0x5B7A94, 0xFFE9A8,
            [0x7A3E2E, 0x4A5560, 0x93634A][variant % 3],
            0x5C4633,
        ]
    }

    /// Each row begins with its filter type, which is none.
    private static func rows(_ variant: Int) -> [UInt8] {
        let house = (left: 30 + variant % 3 * 8, top: 22 + variant % 5 * 8, right: 130 - variant % 4 * 6, bottom: 100)
        var bytes: [UInt8] = []
        for y in 0..<height {
            bytes.append(0)
            for x in stride(from: 0, to: width, by: 2) {
                bytes.append(colour(x, y, house, variant) << 4 | colour(x + 1, y, house, variant))
            }
        }
        return bytes
    }

    private static func colour(
        _ x: Int,
        _ y: Int,
        _ house: (left: Int, top: Int, right: Int, bottom: Int),
        _ variant: Int
    ) -> UInt8 {
        let middle = (house.left + house.right) / 2
        if y >= house.bottom { return 1 }
        guard (house.left..<house.right).contains(x), y >= house.top else {
            let isRoof = y < house.top && abs(x - middle) * 14 < (y - house.top + 14) * (house.right - house.left) / 2
            return isRoof ? 5 : 0
        }
        if abs(x - middle) < 7, y > house.bottom - 20 { return 6 }
        let (column, row) = ((x - house.left) % 18, (y - house.top) % 16)
        guard (5..<14).contains(column), (4..<12).contains(row), y < house.bottom - 22 else { return 2 }
        return (x / 18 * 7 + y / 16 * 3 + variant) % 4 == 0 ? 4 : 3
    }

    // MARK: The file format (RFC 2083, RFC 1950, RFC 1951)

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + data
        return be32(UInt32(data.count)) + named + be32(crc(named))
    }

    /// One stored block: fewer than 65,536 bytes.
    private static func zlib(_ data: [UInt8]) -> [UInt8] {
        let length = UInt16(data.count)
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in data {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        let lengths = [length, ~length].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        return [0x78, 0x01, 0x01] + lengths + data + be32(b << 16 | a)
    }

    private static func crc(_ data: [UInt8]) -> UInt32 {
        ~data.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }

    private static func be32(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(number >> $0 & 255) }
    }
}
