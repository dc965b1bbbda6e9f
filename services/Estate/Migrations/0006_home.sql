-- What a listing costs a month, its deposit at 6 % a year, as a band (Domain/Home/Picks.swift).
ALTER TABLE listings ADD COLUMN price_band int NOT NULL GENERATED ALWAYS AS (
    width_bucket(
        monthly_rent + deposit / 200,
        '{300000,450000,650000,1000000,1500000,2200000,3300000,5000000,10000000}'::bigint[]
    )
) STORED;
CREATE INDEX listings_price_band_idx ON listings (category, price_band, created_at DESC, id DESC);

-- With the listing, so that what is liked most is counted from the index alone.
DROP INDEX likes_created_at_idx;
CREATE INDEX likes_created_at_idx ON likes (created_at, listing_id);

-- What the home screen tells: written by an operator, or by the service from its figures, of each kind one a day.
CREATE TABLE topics (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT topics_pkey PRIMARY KEY,
    -- In Seoul. Before that day it is not shown.
    date date NOT NULL DEFAULT (now() AT TIME ZONE 'Asia/Seoul')::date,
    -- Which figure it tells; NULL for what an operator has written.
    kind text,
    title text NOT NULL CONSTRAINT topics_title_check CHECK (title ~ '\S'),
    content text NOT NULL DEFAULT '',
    link text CONSTRAINT topics_link_check CHECK (link ~ '^https?://'),
    CONSTRAINT topics_date_kind_key UNIQUE (date, kind)
);
CREATE INDEX topics_date_idx ON topics (date DESC, id DESC);
