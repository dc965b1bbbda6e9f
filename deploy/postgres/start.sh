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

# A schema can be moved to another server by logical replication.
exec docker-entrypoint.sh postgres -c wal_level=logical
