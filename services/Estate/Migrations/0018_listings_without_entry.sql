CREATE INDEX CONCURRENTLY listings_without_entry_idx ON listings (id) WHERE entry IS NULL;
