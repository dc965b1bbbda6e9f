import Contracts

extension App {
    /// The name that people know the app by.
    var title: String {
        switch self {
        case .seatcatcher: "SeatCatcher"
        case .moup: "MOUP"
        case .anlaka: "Anlaka"
        case .culture: "Seoul Culture"
        case .withsuhyeon: "With Suhyeon"
        }
    }

    /// What the app is for.
    var purpose: String {
        switch self {
        case .seatcatcher: "Live seats in Seoul's subway trains: who gets off where, and whose seat is given to whom."
        case .moup: "Part-time work and pay: workplaces, shifts, attendance and payslips."
        case .anlaka: "Rooms and flats on a map, reservations with payment, a neighbourhood community and chat."
        case .culture: "Cultural events in Seoul, reviews, comments and profiles."
        case .withsuhyeon: "Travel companions, a gallery and chat."
        }
    }
}
