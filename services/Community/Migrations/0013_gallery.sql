-- With Suhyeon: pictures that people show.
CREATE TABLE gallery_items (
    -- The app keeps it in 32 bits.
    id int GENERATED ALWAYS AS IDENTITY CONSTRAINT gallery_items_pkey PRIMARY KEY,
    author_id bigint NOT NULL CONSTRAINT gallery_items_author_id_fkey REFERENCES people,
    -- What the phone calls the request that made it, so that it is made once.
    request_key text,
    category text NOT NULL,
    title text NOT NULL CONSTRAINT gallery_items_title_check CHECK (char_length(title) <= 30),
    content text NOT NULL CONSTRAINT gallery_items_content_check CHECK (char_length(content) <= 200),
    -- The name of an upload of the author.
    picture text NOT NULL,
    -- When it was hidden from all but its author, because many have reported it.
    hidden_at timestamptz,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT gallery_items_request_key_key UNIQUE (author_id, request_key)
);
CREATE INDEX gallery_items_category_idx ON gallery_items (category, id DESC);
CREATE INDEX gallery_items_author_id_idx ON gallery_items (author_id, id DESC);
