-- The most liked listings of the last 30 days, counted once a minute by one replica (Domain/Home/FeaturedListings.swift).
CREATE TABLE hot_listings (
    listing_id bigint CONSTRAINT hot_listings_pkey PRIMARY KEY
        CONSTRAINT hot_listings_listing_id_fkey REFERENCES listings ON DELETE CASCADE,
    likes bigint NOT NULL
);
-- When they were counted; one row.
CREATE TABLE hot_listings_count (counted_at timestamptz NOT NULL);
INSERT INTO hot_listings_count VALUES ('-infinity');
