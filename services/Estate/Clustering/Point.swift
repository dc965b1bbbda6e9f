/// A point of a plane, in a unit that is the same along both axes, usually metres.
package struct Point: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The bounding box of points.
struct Box: BitwiseCopyable, Sendable {
    var minX: Double
    var minY: Double
    var maxX: Double
    var maxY: Double

    static let empty = Box(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)

    @inline(__always)
    mutating func add(_ x: Double, _ y: Double) {
        minX = x < minX ? x : minX
        maxX = x > maxX ? x : maxX
        minY = y < minY ? y : minY
        maxY = y > maxY ? y : maxY
    }

    func joined(_ other: Box) -> Box {
        Box(
            minX: min(minX, other.minX),
            minY: min(minY, other.minY),
            maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY)
        )
    }

    /// The square of the distance to a point; 0 inside.
    @inline(__always)
    func squaredDistance(_ x: Double, _ y: Double) -> Double {
        let left = minX - x
        let right = x - maxX
        let below = minY - y
        let above = y - maxY
        let dx = left > 0 ? left : right > 0 ? right : 0
        let dy = below > 0 ? below : above > 0 ? above : 0
        return dx * dx + dy * dy
    }

    /// The square of the distance to another box; 0 where they touch.
    @inline(__always)
    func squaredDistance(_ other: Box) -> Double {
        let left = minX - other.maxX
        let right = other.minX - maxX
        let below = minY - other.maxY
        let above = other.minY - maxY
        let dx = left > 0 ? left : right > 0 ? right : 0
        let dy = below > 0 ? below : above > 0 ? above : 0
        return dx * dx + dy * dy
    }

    /// The square of the distance from a point inside to the nearest side.
    @inline(__always)
    func squaredMargin(_ x: Double, _ y: Double) -> Double {
        let horizontal = min(x - minX, maxX - x)
        let vertical = min(y - minY, maxY - y)
        let least = min(horizontal, vertical)
        return least > 0 ? least * least : 0
    }
}
