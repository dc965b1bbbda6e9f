-- What likes and their withdrawals change of posts' like counts, until it is added up in posts.like_count: a like writes
-- neither the post nor its indexes.
CREATE TABLE like_changes (
    id bigint GENERATED ALWAYS AS IDENTITY,
    post_id bigint NOT NULL CONSTRAINT like_changes_post_id_fkey REFERENCES posts ON DELETE CASCADE,
    change smallint NOT NULL CONSTRAINT like_changes_change_check CHECK (change IN (1, -1)),
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT like_changes_pkey PRIMARY KEY (post_id, id) INCLUDE (change)
);
COMMENT ON TABLE like_changes IS 'Deleted after seconds and added up in posts.like_count, by LikeCounts.';
