# One image for every program of Madang; which one runs is the container's command: `docker run madang auth`.

FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libpq-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /madang

# The packages that Madang stands on, compiled: a layer that is made again when their versions change, and that a builder
# without it can take from the cache of a registry. It is an archive: a layer may keep times in seconds, and a build compiles
# again what has another time than it had, to the nanosecond.
COPY Package.swift ./
COPY shared/Tools/Dependencies shared/Tools/Dependencies
RUN MADANG_TARGETS=Dependencies swift build --configuration release --static-swift-stdlib --target Dependencies \
    && cat Package.swift Package.resolved | sha256sum >/dependencies.sha256 \
    && cp /dependencies.sha256 .build/ \
    && tar --create --format=posix --file=/dependencies.tar .build \
    && rm -r .build

# Our own code is compiled in a cache beside the layers, which begins with those packages: of an earlier build only what has
# changed since is compiled.
COPY shared shared
COPY services services
COPY gateway gateway
RUN --mount=type=cache,target=/madang/.build,sharing=locked \
    set -e; \
    if ! cmp -s /dependencies.sha256 .build/dependencies.sha256; then \
        find .build -mindepth 1 -delete; \
        tar --extract --file=/dependencies.tar; \
    fi; \
    MADANG_TARGETS=Programs swift build --configuration release --static-swift-stdlib --target Programs; \
    for program in $(sed -n '/^let programs/,/^]/p' Package.swift | grep -o '"[A-Za-z]*"' | tr -d '"' | tr A-Z a-z); do \
        install -D --strip ".build/release/$program" "/image/bin/$program"; \
    done; \
    toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")"); \
    install -D "$toolchain/libexec/swift/linux/swift-backtrace-static" /image/libexec/swift-backtrace-static; \
    swift --version 2>/dev/null | sed -n 's/.*Swift version \([^ ]*\).*/\1/p' >/image/swift-version; \
    sed -n 's/.*"\([0-9.]*\)".*/\1/p' shared/Contracts/ProductVersion.swift >/image/version; \
    cp Package.resolved /image/
COPY deploy/image/sbom.sh /image/

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates libpq5 tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 madang \
    && useradd --no-create-home --shell /usr/sbin/nologin --uid 10001 --gid 10001 madang \
    && install --directory --owner=madang --group=madang /var/lib/madang/files /var/lib/madang/notices
COPY --from=build /image/bin/ /usr/local/bin/
COPY --from=build /image/libexec/ /usr/local/libexec/
# What the image is made of, as CycloneDX.
RUN --mount=type=bind,from=build,source=/image,target=/image \
    mkdir -p /usr/share/madang \
    && sh /image/sbom.sh /image/Package.resolved "$(cat /image/version)" "$(cat /image/swift-version)" >/usr/share/madang/sbom.json
# A crash says where, in the log.
ENV SWIFT_BACKTRACE=enable=yes,sanitize=yes,threads=crashed,images=none,interactive=no,swift-backtrace=/usr/local/libexec/swift-backtrace-static
# One heap per thread, the default, keeps memory that other threads could use.
ENV MALLOC_ARENA_MAX=2
# Inside a container every interface is this container's.
ENV HOST=0.0.0.0
# Kubernetes has to see that it is not root.
USER 10001:10001
STOPSIGNAL SIGTERM
CMD ["gateway"]
