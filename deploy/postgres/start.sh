#!/bin/sh
# Starts the database of compose. With MADANG_ENV=production it refuses to, as the services do, while the password is one that
# can be guessed: that of the superuser, which no service is given.
set -eu

if [ "${MADANG_ENV:-development}" = production ]; then
    password=${POSTGRES_PASSWORD:-}
    if [ "${#password}" -lt 16 ]; then
        echo "postgres: cannot start: POSTGRES_PASSWORD must be set to a password of 16 characters or longer" >&2
        exit 1
    fi
fi

# An eighth of the memory is for tables, between 128 MB and 8 GB, since the programs run beside the server.
read -r _ kilobytes _ </proc/meminfo
buffers=$((kilobytes / 8192))
limit=max
[ ! -r /sys/fs/cgroup/memory.max ] || read -r limit </sys/fs/cgroup/memory.max
[ "$limit" = max ] || [ $((limit / 8388608)) -ge "$buffers" ] || buffers=$((limit / 8388608))
[ "$buffers" -ge 128 ] || buffers=128
[ "$buffers" -le 8192 ] || buffers=8192

# A schema can be moved to another server by logical replication.
settings="-c wal_level=logical -c shared_buffers=${buffers}MB"
data=${PGDATA:-/var/lib/postgresql/data}

# The image runs these scripts when it creates the database. They run at each further start, too, before the server can be
# reached by TCP: a service that this version adds gets its role and schema, and every role the password of .env. Without
# them the services that have roles can be served, so that a failure is not the server's.
if [ -s "$data/PG_VERSION" ]; then
    # The server refuses to run as root, which the image's own script changes later.
    as=
    [ "$(id -u)" != 0 ] || as="runuser -u postgres --"
    $as pg_ctl --pgdata="$data" --options="$settings -c listen_addresses=" --silent --timeout=3600 start >&2
    for script in "${INITDB_FOLDER:-/docker-entrypoint-initdb.d}"/*.sql; do
        PGOPTIONS="-c client_min_messages=warning" $as psql --no-psqlrc --quiet --no-password \
            --set=ON_ERROR_STOP=1 --username=postgres --dbname="${POSTGRES_DB:-postgres}" --file="$script" >&2 ||
            echo "postgres: $script failed; the server starts with the roles and schemas that it has" >&2
    done
    $as pg_ctl --pgdata="$data" --silent --timeout=3600 stop
fi

# shellcheck disable=SC2086 # several words
exec docker-entrypoint.sh postgres $settings
