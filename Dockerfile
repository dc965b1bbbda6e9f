# One image for every program of Madang; which one runs is the container's command: `docker run madang auth`.

FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libpq-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /madang

# The dependencies change less often than the code.
COPY Package.* ./
RUN swift package resolve

COPY shared shared
COPY services services
COPY gateway gateway
COPY Tests Tests
RUN set -e; for product in $(sed -n '/products: \[/,/\]/p' Package.swift | grep -o '"[A-Za-z]*"' | tr -d '"' | tr A-Z a-z); do \
        swift build --configuration release --static-swift-stdlib --disable-automatic-resolution --product "$product"; \
        install -D --strip ".build/release/$product" "/image/bin/$product"; \
    done; \
    toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")"); \
    install -D "$toolchain/libexec/swift/linux/swift-backtrace-static" /image/libexec/swift-backtrace-static

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates libpq5 tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --no-create-home --uid 10001 madang \
    && install --directory --owner=madang /var/lib/madang/files /var/lib/madang/notices
COPY --from=build /image/bin/ /usr/local/bin/
COPY --from=build /image/libexec/ /usr/local/libexec/
# A crash says where, in the log.
ENV SWIFT_BACKTRACE=enable=yes,sanitize=yes,threads=crashed,images=none,interactive=no,swift-backtrace=/usr/local/libexec/swift-backtrace-static
# One heap per thread, the default, keeps memory that other threads could use.
ENV MALLOC_ARENA_MAX=2
# Inside a container every interface is this container's.
ENV HOST=0.0.0.0
USER madang
STOPSIGNAL SIGTERM
CMD ["gateway"]
