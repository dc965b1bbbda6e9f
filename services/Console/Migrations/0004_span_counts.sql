-- The number of spans of a row, so that a part of a long story is read without the rest.
ALTER TABLE spans ADD COLUMN count integer NOT NULL DEFAULT 100;
