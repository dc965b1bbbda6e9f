/// The bodies of orders and payments that Anlaka decodes (contract 1.7), with the members for newer clients.
extension JSONShape.Anlaka {
    static let order = JSONShape.object([
        "order_id": .id, "order_code": .text, "total_price": .integer, "createdAt": .instant, "updatedAt": .instant,
        "expires_at": .instant,
    ])
    static let orderItem = JSONShape.object([
        "order_id": .id, "order_code": .text, "estate": orderEstate, "paidAt": .instant, "createdAt": .instant,
        "updatedAt": .instant,
    ])
    private static let orderEstate = JSONShape.object([
        "id": .id, "category": .text, "title": .text, "introduction": .text, "thumbnails": .list(.text),
        "deposit": .number, "monthly_rent": .number, "built_year": .text, "area": .number, "floors": .integer,
        "geolocation": .object(["longitude": .number, "latitude": .number]), "createdAt": .instant,
        "updatedAt": .instant, "created_at": .instant, "updated_at": .instant,
    ])
    static let orders = JSONShape.object(["data": .list(orderItem), "next_cursor": .text])
    static let validation = JSONShape.object([
        "payment_id": .id, "order_item": orderItem, "createdAt": .instant, "updatedAt": .instant,
    ])
}

/// The bodies of payments that Seoul Culture decodes (contract 1.2), with the orders of newer clients.
extension JSONShape.Culture {
    static let payment = JSONShape.object([
        "buyer_id": .id, "post_id": .id, "merchant_uid": .text, "productName": .text, "price": .integer,
        "paidAt": .instant,
    ])
    static let payments = JSONShape.object(["data": .list(payment)])
    static let order = JSONShape.object([
        "merchant_uid": .text, "post_id": .id, "productName": .text, "price": .integer, "expires_at": .instant,
    ])
}
