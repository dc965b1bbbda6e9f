-- The Location of a stored response.
ALTER TABLE requests ADD COLUMN location text;
