# One image for every program of Madang; which one runs is the container's command: `docker run madang auth`.

FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libpq-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /madang

# What is compiled stays in a cache beside the layers: the packages that Madang stands on are compiled again when their
# versions change, and a service when its own code does.
COPY Package.swift ./
COPY shared/Tools/Dependencies shared/Tools/Dependencies
RUN --mount=type=cache,target=/madang/.build,sharing=locked \
    MADANG_TARGETS=Dependencies swift build --configuration release --static-swift-stdlib --target Dependencies

COPY shared shared
COPY services services
COPY gateway gateway
RUN --mount=type=cache,target=/madang/.build,sharing=locked \
    set -e; \
    MADANG_TARGETS=Programs swift build --configuration release --static-swift-stdlib --target Programs; \
    for program in $(sed -n '/^let programs/,/^]/p' Package.swift | grep -o '"[A-Za-z]*"' | tr -d '"' | tr A-Z a-z); do \
        install -D --strip ".build/release/$program" "/image/bin/$program"; \
    done; \
    toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")"); \
    install -D "$toolchain/libexec/swift/linux/swift-backtrace-static" /image/libexec/swift-backtrace-static

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates libpq5 tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --no-create-home --shell /usr/sbin/nologin --uid 10001 madang \
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
