CREATE INDEX CONCURRENTLY listings_with_long_entry_idx ON listings (cell)
    -- Those that listings_nearby_idx lacks.
    WHERE (octet_length(entry) <= 2000) IS NOT TRUE;
