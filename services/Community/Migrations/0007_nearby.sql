-- Where posts are, as numbers of cells of four grids: level k parts the globe into 2^k rows and twice as many columns, a cell
-- of level 14 being about a kilometre wide (Domain/Nearby/GridCell.swift). Posts without a place have none.
ALTER TABLE posts
    ADD COLUMN cell14 int GENERATED ALWAYS AS (
        least(floor((latitude + 90) / 180 * 16384)::int, 16383) * 32768
            + least(floor((longitude + 180) / 180 * 16384)::int, 32767)
    ) STORED,
    ADD COLUMN cell10 int GENERATED ALWAYS AS (
        least(floor((latitude + 90) / 180 * 1024)::int, 1023) * 2048
            + least(floor((longitude + 180) / 180 * 1024)::int, 2047)
    ) STORED,
    ADD COLUMN cell6 int GENERATED ALWAYS AS (
        least(floor((latitude + 90) / 180 * 64)::int, 63) * 128
            + least(floor((longitude + 180) / 180 * 64)::int, 127)
    ) STORED,
    ADD COLUMN cell2 int GENERATED ALWAYS AS (
        least(floor((latitude + 90) / 180 * 4)::int, 3) * 8
            + least(floor((longitude + 180) / 180 * 4)::int, 7)
    ) STORED;

-- For each grid, of all categories and of one: the newest of a cell, and the most liked.
CREATE INDEX posts_cell14_newest_idx ON posts (cell14, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell14 IS NOT NULL;
CREATE INDEX posts_cell14_likes_idx ON posts (cell14, like_count DESC, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell14 IS NOT NULL;
CREATE INDEX posts_category_cell14_newest_idx ON posts (category, cell14, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell14 IS NOT NULL;
CREATE INDEX posts_category_cell14_likes_idx ON posts (category, cell14, like_count DESC, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell14 IS NOT NULL;
CREATE INDEX posts_cell10_newest_idx ON posts (cell10, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell10 IS NOT NULL;
CREATE INDEX posts_cell10_likes_idx ON posts (cell10, like_count DESC, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell10 IS NOT NULL;
CREATE INDEX posts_category_cell10_newest_idx ON posts (category, cell10, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell10 IS NOT NULL;
CREATE INDEX posts_category_cell10_likes_idx ON posts (category, cell10, like_count DESC, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell10 IS NOT NULL;
CREATE INDEX posts_cell6_newest_idx ON posts (cell6, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell6 IS NOT NULL;
CREATE INDEX posts_cell6_likes_idx ON posts (cell6, like_count DESC, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell6 IS NOT NULL;
CREATE INDEX posts_category_cell6_newest_idx ON posts (category, cell6, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell6 IS NOT NULL;
CREATE INDEX posts_category_cell6_likes_idx ON posts (category, cell6, like_count DESC, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell6 IS NOT NULL;
CREATE INDEX posts_cell2_newest_idx ON posts (cell2, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell2 IS NOT NULL;
CREATE INDEX posts_cell2_likes_idx ON posts (cell2, like_count DESC, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell2 IS NOT NULL;
CREATE INDEX posts_category_cell2_newest_idx ON posts (category, cell2, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell2 IS NOT NULL;
CREATE INDEX posts_category_cell2_likes_idx ON posts (category, cell2, like_count DESC, created_at DESC, id DESC)
    INCLUDE (latitude, longitude) WHERE hidden_at IS NULL AND cell2 IS NOT NULL;
