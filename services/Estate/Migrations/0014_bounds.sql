-- When the order was first heard of. Reservations that are not paid for, or are released, are deleted by it.
ALTER TABLE reservations ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX reservations_created_at_idx ON reservations (created_at) WHERE held_until IS NOT NULL;

-- What bounds each table.
COMMENT ON TABLE people IS 'One row per account; of a withdrawn one without personal data.';
COMMENT ON TABLE listings IS 'One row per listing; deleted by the withdrawal of its creator unless it is reserved.';
COMMENT ON TABLE likes IS 'One row per listing and account; deleted with the listing or by the withdrawal.';
COMMENT ON TABLE comments IS 'Deleted with their listing, by their author or by the withdrawal.';
COMMENT ON TABLE reservations IS
    'One row per paid order, deleted with its listing; others deleted 90 days after creation, by Reservations.';
COMMENT ON TABLE topics IS 'Three market notes a day, deleted after a year, by Topics; others by an operator.';
COMMENT ON TABLE place_answers IS 'Deleted when they are too old, or the oldest beyond 200,000, by PlaceCache.';
COMMENT ON TABLE place_requests IS 'Deleted after their day, by PlaceQuota.';
COMMENT ON TABLE hot_listings IS 'Replaced by the 50 most liked listings once a minute, by FeaturedListings.';
COMMENT ON TABLE hot_listings_count IS 'One row.';
COMMENT ON TABLE uploads IS 'Deleted a day after upload unless a listing refers to them, by Uploads.';
