package import Values

extension WageTerms {
    /// Days until the next pay day, today being 0; nil if there is none (MOUP contract 3A.12).
    package func daysUntilPayDay(from today: CivilDate) -> Int? {
        switch cycle {
        case .monthly:
            guard let payDay else { return nil }
            let ofThisMonth = today.month.day(payDay)
            let next = ofThisMonth >= today ? ofThisMonth : today.month.next().day(payDay)
            return next.dayNumber - today.dayNumber
        case .weekly:
            guard let payWeekday else { return nil }
            return (payWeekday.rawValue - today.weekday.rawValue + 7) % 7
        case .daily:
            return nil
        }
    }
}
