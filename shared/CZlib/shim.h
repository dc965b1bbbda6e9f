// The C interface of zlib, for gzip.
#include <zlib.h>
