-- What likes and their withdrawals change of listings' like counts, until it is added up in listings.like_count: a like
-- writes neither the listing nor its indexes.
CREATE TABLE like_changes (
    id bigint GENERATED ALWAYS AS IDENTITY,
    listing_id bigint NOT NULL CONSTRAINT like_changes_listing_id_fkey REFERENCES listings ON DELETE CASCADE,
    change smallint NOT NULL CONSTRAINT like_changes_change_check CHECK (change IN (1, -1)),
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT like_changes_pkey PRIMARY KEY (listing_id, id) INCLUDE (change)
);
COMMENT ON TABLE like_changes IS 'Deleted after seconds and added up in listings.like_count, by LikeCounts.';
