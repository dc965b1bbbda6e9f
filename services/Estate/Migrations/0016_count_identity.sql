-- Without a primary key, the row is identified by its column when the schema moves to another server.
ALTER TABLE hot_listings_count REPLICA IDENTITY FULL;
