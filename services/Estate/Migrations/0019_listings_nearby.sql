CREATE INDEX CONCURRENTLY listings_nearby_idx ON listings (cell)
    -- All that a list of places shows and filters by: neighbours are read one after another, and the table is not.
    INCLUDE (id, public_id, creator_id, latitude, longitude, shown_latitude, shown_longitude, category, area, monthly_rent,
        deposit, like_count, entry)
    -- An entry of an index has at most 2,704 bytes.
    WHERE octet_length(entry) <= 2000;
