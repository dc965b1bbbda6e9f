import Glibc

/// A place on the globe, in degrees (WGS 84).
package struct Coordinate: Sendable, Equatable {
    package var latitude: Double
    package var longitude: Double

    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// nil for coordinates out of range.
    package init?(checking latitude: Double, _ longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// The globe's radius in the app's calculations, in metres (Anlaka contract 4.2).
    package static let radius = 6_371_000.0

    /// The great-circle distance to another place, in metres, by the haversine formula.
    package func distance(to other: Coordinate) -> Double {
        let (phi, otherPhi) = (latitude * .pi / 180, other.latitude * .pi / 180)
        let (halfHeight, halfWidth) = ((otherPhi - phi) / 2, (other.longitude - longitude) * .pi / 360)
        let share =
            sin(halfHeight) * sin(halfHeight) + cos(phi) * cos(otherPhi) * sin(halfWidth) * sin(halfWidth)
        return 2 * Self.radius * asin(min(1, share.squareRoot()))
    }

    /// The place at a distance in metres along a great circle.
    ///
    /// - Parameter bearing: Degrees from north, clockwise.
    package func moved(_ metres: Double, bearing: Double) -> Coordinate {
        let (angle, direction) = (metres / Self.radius, bearing * .pi / 180)
        let phi = latitude * .pi / 180
        let newPhi = asin(min(1, max(-1, sin(phi) * cos(angle) + cos(phi) * sin(angle) * cos(direction))))
        let turn = atan2(sin(direction) * sin(angle) * cos(phi), cos(angle) - sin(phi) * sin(newPhi))
        let degrees = longitude + turn * 180 / .pi
        return Coordinate(
            latitude: newPhi * 180 / .pi,
            longitude: degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
        )
    }

    /// The coordinate rounded to six decimals of a degree, a tenth of a metre.
    package var rounded: Coordinate {
        Coordinate(latitude: (latitude * 1e6).rounded() / 1e6, longitude: (longitude * 1e6).rounded() / 1e6)
    }
}
