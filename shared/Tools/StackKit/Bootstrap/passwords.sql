-- Gives each login role the password that the environment holds for it (AUTH_DATABASE_PASSWORD, …), for psql only.
-- A role without one keeps what it has: over a trusted Unix socket it needs none.

\set ON_ERROR_STOP on
\getenv auth AUTH_DATABASE_PASSWORD
\getenv seats SEATS_DATABASE_PASSWORD
\getenv workforce WORKFORCE_DATABASE_PASSWORD
\getenv estate ESTATE_DATABASE_PASSWORD
\getenv community COMMUNITY_DATABASE_PASSWORD
\getenv chat CHAT_DATABASE_PASSWORD
\getenv payments PAYMENTS_DATABASE_PASSWORD
\getenv notifications NOTIFICATIONS_DATABASE_PASSWORD
\getenv console CONSOLE_DATABASE_PASSWORD

\if :{?auth}
ALTER ROLE auth PASSWORD :'auth';
\endif
\if :{?seats}
ALTER ROLE seats PASSWORD :'seats';
\endif
\if :{?workforce}
ALTER ROLE workforce PASSWORD :'workforce';
\endif
\if :{?estate}
ALTER ROLE estate PASSWORD :'estate';
\endif
\if :{?community}
ALTER ROLE community PASSWORD :'community';
\endif
\if :{?chat}
ALTER ROLE chat PASSWORD :'chat';
\endif
\if :{?payments}
ALTER ROLE payments PASSWORD :'payments';
\endif
\if :{?notifications}
ALTER ROLE notifications PASSWORD :'notifications';
\endif
\if :{?console}
ALTER ROLE console PASSWORD :'console';
\endif
