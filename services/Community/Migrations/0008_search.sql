-- The title as the search reads it, in small letters; NULL for posts that it does not find.
ALTER TABLE posts ADD COLUMN title_key text;

-- Each character of a text, and each two that stand together, once: syllables, since most words of Korean have two.
CREATE FUNCTION text_grams(text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT array_agg(DISTINCT substr($1, position, length))
    FROM generate_series(1, char_length($1)) position, generate_series(1, 2) length
$$;
CREATE INDEX posts_title_grams_idx ON posts USING gin (text_grams(title_key))
    WHERE hidden_at IS NULL AND title_key IS NOT NULL;
-- For words that many have: the newest are looked through one after another.
CREATE INDEX posts_title_key_idx ON posts (created_at DESC, id DESC) INCLUDE (title_key)
    WHERE hidden_at IS NULL AND title_key IS NOT NULL;
