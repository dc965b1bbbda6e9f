-- When the socket was opened, so that a late claim of an older one does not displace it.
ALTER TABLE joined ADD COLUMN socket_opened_at timestamptz;
