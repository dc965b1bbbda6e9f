-- The database of Madang: one login role and one schema per service, and no way into another's.
--
-- Runs as superuser inside the database, as often as one likes: at every `stack up`, and when the compose file's
-- database is created. A new service adds its name to the array.

DO $$ BEGIN EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database()); END $$;
REVOKE ALL ON SCHEMA public FROM PUBLIC;

-- The server's log gets the message of an error, but neither the rows and keys in its details nor the statement and its
-- parameters: they have users' data. The services log statements, with $1 for each parameter.
DO $$
DECLARE
    setting text;
BEGIN
    FOREACH setting IN ARRAY ARRAY[
        'log_error_verbosity = terse', 'log_min_error_statement = panic', 'log_statement = none',
        'log_parameter_max_length = 0', 'log_parameter_max_length_on_error = 0'
    ] LOOP
        EXECUTE format('ALTER DATABASE %I SET %s', current_database(), setting);
    END LOOP;
END $$;

DO $$
DECLARE
    service text;
BEGIN
    FOREACH service IN ARRAY ARRAY[
        'auth', 'seats', 'workforce', 'estate', 'community', 'chat', 'payments', 'notifications', 'console'
    ] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = service) THEN
            EXECUTE format('CREATE ROLE %I LOGIN', service);
        END IF;
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), service);
        EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I AUTHORIZATION %I', service, service);
        EXECUTE format('ALTER ROLE %I IN DATABASE %I SET search_path TO %I', service, current_database(), service);
    END LOOP;
END $$;

-- Geography, in a schema of its own, for the services that have places.
CREATE SCHEMA IF NOT EXISTS postgis;
CREATE EXTENSION IF NOT EXISTS postgis SCHEMA postgis;

DO $$
DECLARE
    service text;
BEGIN
    FOREACH service IN ARRAY ARRAY['estate', 'community'] LOOP
        EXECUTE format('GRANT USAGE ON SCHEMA postgis TO %I', service);
        EXECUTE format(
            'ALTER ROLE %I IN DATABASE %I SET search_path TO %I, postgis',
            service, current_database(), service
        );
    END LOOP;
END $$;
