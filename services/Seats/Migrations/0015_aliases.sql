-- Three digits that stand for a running train, for builds of the app that read them from the order key.
CREATE TABLE train_aliases (
    alias text PRIMARY KEY,
    train_code text CONSTRAINT train_aliases_train_code_key UNIQUE REFERENCES trains ON DELETE SET NULL,
    -- When it last stood for a train; the longest free is taken next.
    freed_at timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO train_aliases (alias) SELECT to_char(n, 'FM000') FROM generate_series(0, 999) AS n;
