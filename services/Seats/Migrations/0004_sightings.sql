CREATE FUNCTION service_date() RETURNS date LANGUAGE sql STABLE AS $$ SELECT (now() AT TIME ZONE 'Asia/Seoul' - interval '4 hours')::date $$;
