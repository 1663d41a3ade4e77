# Building this needs registries for both images, so CI does not. Where you build releases, pin them by digest.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS TARGETARCH VERSION=v0.1.0 COMMIT
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -o /bin/ -ldflags="-s -w \
    -X k8s.io/component-base/version.gitVersion=$VERSION -X k8s.io/component-base/version.gitCommit=$COMMIT" ./cmd/claimbridge ./cmd/claimbridge-apiserver

# No shell, no package manager, user 65532. docker build --target=claimbridge-apiserver makes the image of the aggregated API server.
FROM gcr.io/distroless/static:nonroot AS claimbridge-apiserver
COPY --from=build /bin/claimbridge-apiserver /claimbridge-apiserver
USER 65532:65532
EXPOSE 8443
ENTRYPOINT ["/claimbridge-apiserver"]

FROM gcr.io/distroless/static:nonroot AS claimbridge
COPY --from=build /bin/claimbridge /claimbridge
USER 65532:65532
EXPOSE 9443 8443
ENTRYPOINT ["/claimbridge"]
CMD ["serve"]
