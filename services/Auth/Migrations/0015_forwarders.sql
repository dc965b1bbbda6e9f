-- The origins whose requests were forwarded with the newest tokens in a silent refresh, stored like `holders`.
ALTER TABLE sessions ADD COLUMN forwarders text[] NOT NULL DEFAULT '{}';
