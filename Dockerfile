# docker build --build-arg COMMIT=$(git rev-parse HEAD) -t tributary-search-server .
# The image is the release's folder for Linux on a base with nothing but the C and C++ libraries. The release workflow
# hands over both bases by their digests.
ARG BUILD=node:24-slim
ARG BASE=gcr.io/distroless/cc-debian12

FROM --platform=$BUILDPLATFORM ${BUILD} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/build-portal.js scripts/chunk-cycle.ts scripts/licences.js ./scripts/
RUN npm ci --no-audit --no-fund
COPY . .
ARG COMMIT=
ARG TARGETARCH=amd64
RUN node scripts/release.js --folder --out /release --platform linux-$(echo $TARGETARCH | sed s/amd64/x64/) \
  && mv /release/tributary-*-linux-* /release/tributary \
  && mkdir -p /release/served/data /release/served/configs && chmod 700 /release/served/data

FROM ${BASE}
ARG BASE
ARG COMMIT=
LABEL org.opencontainers.image.title="tributary-search-server" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.base.name="${BASE}" \
      org.opencontainers.image.revision="${COMMIT}"
COPY --from=build /release/tributary /opt/tributary
# What is served stands here, under the names the settings have by default: configs, nodes.json, data.
# NODE_ENV is left unset: production switches GraphQL introspection off, and other nodes discover this one by it.
COPY --from=build --chown=1000:1000 /release/served /tributary
WORKDIR /tributary
# A balancer that checks readiness every few seconds sends nothing more by then.
USER 1000:1000
# No VOLUME: containerd would lay an empty one, which ends with the container, over what Kubernetes mounts at /tributary.
EXPOSE 5050 11235
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["/opt/tributary/lib/node", "-e", "fetch(`http://127.0.0.1:${process.env.SERVER_PORT || 5050}${process.env.PING_PATH || '/ping'}`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/opt/tributary/lib/node", "--max-semi-space-size=4", "/opt/tributary/lib/tributary/bin/tributary.js"]
CMD ["start"]
