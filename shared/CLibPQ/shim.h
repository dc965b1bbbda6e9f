// The C interfaces behind the PostgreSQL client: libpq, and Linux's readiness notification.
#include <libpq-fe.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
