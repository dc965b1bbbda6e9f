// The C interfaces used by the PostgreSQL client: libpq and epoll.
#include <libpq-fe.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
