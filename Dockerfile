# The image of Heliograph: the files of the npm package, and the dependencies of package-lock.json.
#   docker build --tag heliograph:local .
# Debian rather than Alpine: Node.js builds and tests its releases for glibc, those for musl are unofficial. There are no
# native modules, so the slim variant suffices and nothing is compiled.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Not `npm ci`: it fails on a lock file without the binaries of every platform. No install script is needed for the build.
RUN npm install --no-save --include=dev --ignore-scripts
COPY . .
# Compiles, builds the console, and leaves in package/ what the npm package ships.
RUN npm pack --silent && tar -xzf heliograph-*.tgz

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save --omit=dev --ignore-scripts

FROM ${NODE_IMAGE} AS image
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Heliograph" \
      org.opencontainers.image.description="Self-hosted notifications, widgets and live activities" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# A container is reached over its network, so it listens on all of its addresses.
ENV NODE_ENV=production \
    HELIOGRAPH_HOST=0.0.0.0 \
    HELIOGRAPH_PORT=8080 \
    HELIOGRAPH_DATA_DIR=/data
WORKDIR /app
COPY --from=build /build/package ./
COPY --from=dependencies /build/node_modules node_modules
# `docker exec CONTAINER heliograph signin` finds the program. A new volume takes its owner and mode from this folder.
RUN ln -s /app/dist/main.js /usr/local/bin/heliograph && install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HELIOGRAPH_PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# No init process: the program handles SIGTERM as process 1 and starts no processes that it would have to reap.
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]
