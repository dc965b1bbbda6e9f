-- The events that people like. The app knows them as posts, so their ids are of one kind with those of posts.
CREATE TABLE favourites (
    id bigint NOT NULL DEFAULT nextval('posts_id_seq') CONSTRAINT favourites_pkey PRIMARY KEY,
    public_id text NOT NULL CONSTRAINT favourites_public_id_key UNIQUE
        CONSTRAINT favourites_public_id_check CHECK (public_id ~ '^[0-9a-f]{24}$'),
    account_id bigint NOT NULL CONSTRAINT favourites_account_id_fkey REFERENCES people,
    -- The event's title with the person's public id behind it.
    product_id text NOT NULL,
    title text,
    -- What the event was when it was liked, byte for byte as the app has sent it.
    content text NOT NULL,
    -- The event, as far as it is one of the calendar.
    event_id text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT favourites_product_id_key UNIQUE (account_id, product_id)
);
CREATE INDEX favourites_account_id_idx ON favourites (account_id, created_at DESC, id DESC);
CREATE INDEX favourites_event_id_idx ON favourites (account_id, event_id);
