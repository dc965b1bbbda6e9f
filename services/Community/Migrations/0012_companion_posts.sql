-- With Suhyeon: who looks for a companion.
CREATE TABLE companion_posts (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT companion_posts_pkey PRIMARY KEY,
    author_id bigint NOT NULL CONSTRAINT companion_posts_author_id_fkey REFERENCES people,
    -- What the phone calls the request that made it, so that it is made once.
    request_key text,
    -- The key of a region, and the location that this belongs to.
    region text NOT NULL,
    location text NOT NULL,
    wants_man boolean NOT NULL,
    age text NOT NULL,
    requests text[] NOT NULL,
    meets_at timestamptz NOT NULL,
    -- Won.
    price int NOT NULL CONSTRAINT companion_posts_price_check CHECK (price BETWEEN 0 AND 100000),
    title text NOT NULL CONSTRAINT companion_posts_title_check CHECK (char_length(title) <= 30),
    content text NOT NULL CONSTRAINT companion_posts_content_check CHECK (char_length(content) <= 200),
    is_matched boolean NOT NULL DEFAULT false,
    -- When it was hidden from all but its author, because many have reported it.
    hidden_at timestamptz,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT companion_posts_request_key_key UNIQUE (author_id, request_key)
);
CREATE INDEX companion_posts_author_id_idx ON companion_posts (author_id, id DESC);
CREATE INDEX companion_posts_region_idx ON companion_posts (region, id DESC);
CREATE INDEX companion_posts_location_idx ON companion_posts (location, id DESC);
CREATE INDEX companion_posts_region_meets_at_idx ON companion_posts (region, meets_at);
CREATE INDEX companion_posts_meets_at_idx ON companion_posts (meets_at);

-- The home screen tells how many people there are.
CREATE INDEX people_app_idx ON people (app) WHERE withdrawn_at IS NULL;
