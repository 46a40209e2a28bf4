# docker build --build-arg COMMIT=$(git rev-parse HEAD) -t tributary-search-server .

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/build-portal.js ./scripts/
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
COPY portal ./portal
ARG COMMIT=
RUN npm run build && npm run portal && npm prune --omit=dev --no-audit --no-fund

FROM node:24-slim
ARG COMMIT=
LABEL org.opencontainers.image.title="tributary-search-server" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.revision="${COMMIT}"
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/portal/dist ./portal/dist
COPY package.json LICENSE README.md nodes.json ./
COPY bin ./bin
COPY configs ./configs
COPY samples ./samples

# What is served stands here, under the names the settings have by default: configs, nodes.json, data.
# NODE_ENV is left unset: production switches GraphQL introspection off, and other nodes discover this one by it.
WORKDIR /tributary
# A balancer that checks readiness every few seconds sends nothing more by then.
ENV SHUTDOWN_DELAY_MS=5000
RUN mkdir data configs && chmod 700 data && chown node:node data configs
USER node
VOLUME /tributary/data
EXPOSE 5050 11235
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.SERVER_PORT || 5050}${process.env.PING_PATH || '/ping'}`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=4", "/app/bin/tributary.js"]
CMD ["start"]
