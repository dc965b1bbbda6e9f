-- The people of all services have the same shape.
ALTER TABLE people ADD COLUMN app text NOT NULL DEFAULT 'anlaka', ADD COLUMN region text;
ALTER TABLE people ALTER COLUMN app DROP DEFAULT;
