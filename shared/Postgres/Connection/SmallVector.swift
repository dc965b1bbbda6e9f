/// A collection of mostly one element, which is stored without an array.
enum SmallVector<Element>: RandomAccessCollection {
    case none
    case one(Element)
    case many([Element])

    init(_ elements: [Element]) {
        switch elements.count {
        case 0: self = .none
        case 1: self = .one(elements[0])
        default: self = .many(elements)
        }
    }

    var startIndex: Int { 0 }

    var endIndex: Int {
        switch self {
        case .none: 0
        case .one: 1
        case .many(let elements): elements.count
        }
    }

    subscript(index: Int) -> Element {
        switch self {
        case .none: preconditionFailure("there is no element")
        case .one(let element): element
        case .many(let elements): elements[index]
        }
    }

    mutating func append(_ element: Element) {
        switch self {
        case .none: self = .one(element)
        case .one(let first): self = .many([first, element])
        case .many(var elements):
            self = .none
            elements.append(element)
            self = .many(elements)
        }
    }
}

extension SmallVector: Sendable where Element: Sendable {}
