-- Whether memberships of the deleted workplace are still to be ended.
ALTER TABLE workplaces ADD COLUMN is_closing boolean NOT NULL DEFAULT false;
CREATE INDEX workplaces_is_closing_idx ON workplaces (id) WHERE is_closing;
