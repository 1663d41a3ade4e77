# Needs Go and GNU make. Every tool is pinned in tools/go.mod and built by Go; library users do not inherit them.

GO ?= go
TOOL = $(GO) tool -modfile=tools/go.mod
FUZZTIME ?= 10s
ONLY ?=
ROUNDS ?=
SOAK ?= 5m
ARGS ?= serve
KUBECTL ?= kubectl
VERSION ?= v0.2.0
IMG ?= ghcr.io/claimbridge/claimbridge:$(VERSION)
PLATFORMS ?= linux/amd64 linux/arm64
GROUP ?=
NAMESPACE ?= claimbridge-system
CERTIFICATES ?= cert-manager

# The programs that go.mod keeps out of ./...: they are checked all the same, so name both.
PROGRAMS := $(shell sed -n '/^ignore (/,/^)/s/^\t//p' go.mod)

# Packages with tests that start API servers or build programs: their files say so by the build tag e2e. A suite is the last folder of one.
E2E := $(sort $(dir $(shell grep -rl --include='*_test.go' '^//go:build e2e' cmd test webhook)))
SUITE ?= $(notdir $(E2E:/=))
suites = $(sort $(foreach suite,$(SUITE),$(or $(filter %/$(suite)/,$(addprefix ./,$(E2E))),$(error there is no suite $(suite), but: $(notdir $(E2E:/=))))))
E2EFLAGS ?=
RELEASES ?=
UPDATE ?=

# What is promised of a claim on a real API server: the suites of make test.
PROMISES = cluster certificates repositories webhooktest

.DEFAULT_GOAL := help

.PHONY: help
help: ## Show this list.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)$$/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 26

.PHONY: build
build: ## Build bin/claimbridge as the image has it, without a C library.
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w" -o bin/claimbridge ./cmd/claimbridge

.PHONY: run
run: ## Start the server on this machine (ARGS="convert --help" for another command).
	$(GO) run ./cmd/claimbridge $(ARGS)

.PHONY: check
check: ## Vet, and run the unit tests, laws over few objects among them: builds no other program; 3 minutes.
	$(GO) vet ./... $(PROGRAMS)
	$(GO) test -short -vet=off ./... $(PROGRAMS)

.PHONY: test
test: check ## The same, and what is promised of claims on a real kube-apiserver, which is built once: a quarter of an hour from nothing, then 5 minutes.
	$(MAKE) e2e SUITE='$(PROMISES)' E2EFLAGS=-short

.PHONY: e2e
e2e: ## Run suites that start API servers or programs in full, all or those of SUITE="cluster preflight"; each builds what it needs.
	$(GO) test -tags=e2e -vet=off -count=1 -timeout 45m -p 3 -parallel 4 $(E2EFLAGS) $(suites)

.PHONY: race
race: ## Run the unit tests with the race detector, which needs a C compiler; not those that render manifests, edit or split text, or compare recorded verdicts, in one goroutine each.
	@# A raced program waits a second before it ends, unless told otherwise, and scripts start hundreds.
	GORACE=atexit_sleep_ms=0 $(GO) test -race -short -vet=off -timeout 30m $(filter-out %/config %/internal/splice %/internal/manifest %/internal/preserve %/test/oracle,$(shell $(GO) list ./... $(PROGRAMS)))

.PHONY: laws
laws: ## Run the unit tests in full: laws over more objects, with their seed, and what is allocated.
	$(GO) test -vet=off -count=1 -timeout 30m ./... $(PROGRAMS)

.PHONY: test-all
test-all: RELEASES = all
test-all: vet lint test race laws e2e oracle fuzz check-bench check-release test-node ## Run everything there is.

.PHONY: oracle
oracle: ## Build Kubernetes' own validation of RELEASES ("1.31 1.37", or all), prove that the recorded verdicts are true, and compare fresh writes; UPDATE=1 records anew. For 1.32 and 1.33 try the bridge on their API servers.
	CLAIMBRIDGE_RELEASES="$(RELEASES)" CLAIMBRIDGE_RECORD="$(UPDATE)" $(GO) test -tags=oracle -vet=off -count=1 -timeout 120m -p 1 -v ./test/oracle ./test/bridge/older

.PHONY: next
next: ## Ask the module proxy what changes for claims in the next release of Kubernetes, and which row says it.
	$(GO) run ./test/next

.PHONY: test-releases
test-releases: ## The same for all nine releases, with 20,000 fresh writes in each version.
	CLAIMBRIDGE_COMPARISONS=20000 $(MAKE) oracle RELEASES=all

.PHONY: envtest
envtest: ## Print the folder with etcd, kube-apiserver and kubectl; unless KUBEBUILDER_ASSETS names one they are built, once, in about five minutes.
	@$(GO) run ./test/controlplane/envtest

.PHONY: test-node
test-node: ## Run the tests in which pods run, each in a cluster of its own from the kernel up (Linux and root, docs/node.md).
	$(GO) test -tags=node -vet=off -count=1 -p 1 -parallel 3 -v -timeout 60m ./test/node/... $(filter ./test/node/%,$(PROGRAMS))

.PHONY: node
node: ## Keep a cluster of one node running until Ctrl-C, with the images of this checkout, and print its kubeconfig (docs/node.md).
	@$(GO) run ./test/node/check
	$(GO) run ./test/node/up $(NODEFLAGS)

.PHONY: bench
bench: ## Measure beside a null webhook, a stock one, an API server and Kubernetes' own validation, and print one table: all in a quarter of an hour, or ONLY='Call|Review' ROUNDS=3.
	GO="$(GO)" ONLY="$(ONLY)" ROUNDS="$(ROUNDS)" .ci/bench

.PHONY: soak
soak: ## Keep the server busy with an adversary's requests for SOAK (5m), beside 50 honest calls a second: these must be served within 10 s of its end, and memory stay below the limit of the manifests. Then try the laws of conversion on random objects for as long.
	$(GO) test -tags=e2e -vet=off -count=1 -timeout 0 -short -v -run TestSoak ./test/soak -soak=$(SOAK)
	CLAIMBRIDGE_FOR=$(SOAK) $(GO) test -short -vet=off -count=1 -timeout 0 ./conversion ./conversion/lens

.PHONY: check-bench
check-bench: ## Vet what measures, and run it for some seconds, whatever the figures.
	$(GO) -C test/bench/stock vet ./...
	$(GO) test -tags=e2e -vet=off -count=1 -timeout 0 -short -v -run TestSoak ./test/soak -soak=3s
	GO="$(GO)" ONLY='Call|Review|Memory|Start|Pair|File|Folder|Bridge' ROUNDS=1 BENCHFLAGS='-test.short -test.benchtime=30ms' .ci/bench

.PHONY: fuzz
fuzz: ## Run each fuzz target for FUZZTIME (10s).
	GO="$(GO)" FUZZTIME="$(FUZZTIME)" .ci/fuzz

.PHONY: vet
vet: ## Run go vet, on the tests of every tag as well.
	$(GO) vet -tags=e2e,node,oracle ./... $(PROGRAMS)

.PHONY: lint
lint: ## Run golangci-lint, formatting included.
	$(TOOL) golangci-lint run ./... $(PROGRAMS)

.PHONY: fmt
fmt: ## Format the Go code.
	$(TOOL) golangci-lint fmt

.PHONY: generate
generate: ## Generate deepcopy code and custom resource definitions from the types in api/, the manifests in config/rendered and the chart's files.
	$(GO) generate ./...

.PHONY: manifests
manifests: ## Generate the custom resource definitions, render the manifests in config/, and copy what the chart has of them.
	$(GO) generate ./api ./config

.PHONY: image
image: ## Make the image IMG for PLATFORMS, as an OCI archive in bin/images, and print its name with its digest; needs nothing but Go (docs/quick-start.md).
	@GO="$(GO)" VERSION="$(VERSION)" PLATFORMS="$(PLATFORMS)" .ci/image $(IMG)

# The default of IMG names an image that no registry has: only a released VERSION, or IMG, names one.
NAMED_IMAGE = $(if $(filter file,$(origin IMG)),$(if $(filter file,$(origin VERSION)),,$(filter v%,$(VERSION))),$(IMG))
IMAGE_IS_NAMED = test -n '$(NAMED_IMAGE)' || \
	{ echo 'error: which image? make $@ IMG=registry.example.com/claimbridge:tag, or the project'"'"'s own of VERSION=v0.2.0' >&2; exit 1; }

.PHONY: image-push
image-push: ## The same, and push it to its registry, where docker login, or a file as it writes, says who you are.
	@$(IMAGE_IS_NAMED)
	@GO="$(GO)" VERSION="$(VERSION)" PLATFORMS="$(PLATFORMS)" .ci/image --push $(IMG)

.PHONY: release
release: ## Make the release VERSION in dist, the same bytes each time: archives for six platforms, an image, manifests, a chart, checksums (docs/releases.md); some twenty minutes on two cores.
	@test '$(origin VERSION)' != file && test -n '$(VERSION)' || { echo 'error: VERSION is required: make release VERSION=v0.2.0' >&2; exit 1; }
	GO="$(GO)" $(GO) -C tools/release run . --root=$(CURDIR) --output=$(CURDIR)/dist --version=$(VERSION) $(RELEASEFLAGS)

.PHONY: check-release
check-release: ## Vet and test the tools that make images and releases; makes a release for this machine twice, and runs what is in it.
	$(GO) -C tools/release vet ./...
	$(GO) -C tools/release test -count=1 -timeout 25m ./...

.PHONY: deploy
deploy: ## Apply the manifests to the cluster of your kubeconfig (GROUP=claims.example.com, IMG=registry.example.com/claimbridge:tag, CERTIFICATES=cert-manager|self|files).
	@$(IMAGE_IS_NAMED)
	manifests=$$($(GO) run ./cmd/claimbridge manifests --group=$(GROUP) --namespace=$(NAMESPACE) --image=$(IMG) --certificates=$(CERTIFICATES)) && \
	printf '%s\n' "$$manifests" | $(KUBECTL) apply --server-side -f -

ONE_VERSION = [{"op": "test", "path": "/spec/versions/1/name", "value": "v1alpha1"}, \
  {"op": "test", "path": "/spec/versions/2/name", "value": "v1alpha2"}, \
  {"op": "test", "path": "/spec/versions/3/name", "value": "v1alpha3"}, \
  {"op": "test", "path": "/spec/versions/4/name", "value": "v1beta1"}, \
  {"op": "test", "path": "/spec/versions/5/name", "value": "v1beta2"}, \
  {"op": "replace", "path": "/spec/versions/1/served", "value": false}, \
  {"op": "replace", "path": "/spec/versions/2/served", "value": false}, \
  {"op": "replace", "path": "/spec/versions/3/served", "value": false}, \
  {"op": "replace", "path": "/spec/versions/4/served", "value": false}, \
  {"op": "replace", "path": "/spec/versions/5/served", "value": false}, \
  {"op": "replace", "path": "/spec/conversion", "value": {"strategy": "None"}}]

.PHONY: undeploy
undeploy: ## Take all but the claims out of the cluster (GROUP=claims.example.com): steps 1 to 3 of docs/operations.md#uninstall.
	@test -n "$(GROUP)" || { echo 'error: GROUP is required: that of the claims, like GROUP=claims.example.com' >&2; exit 1; }
	$(KUBECTL) patch crd resourceclaims.$(GROUP) resourceclaimtemplates.$(GROUP) --type=json -p '$(ONE_VERSION)'
	$(KUBECTL) delete --ignore-not-found validatingwebhookconfiguration,mutatingwebhookconfiguration claimbridge
	$(KUBECTL) delete --ignore-not-found namespace $(NAMESPACE)
	$(KUBECTL) delete clusterrolebinding -l app.kubernetes.io/name=claimbridge
	$(KUBECTL) delete clusterrole -l 'app.kubernetes.io/name=claimbridge,app.kubernetes.io/component!=claims'
	-$(KUBECTL) delete validatingadmissionpolicy,validatingadmissionpolicybinding -l app.kubernetes.io/name=claimbridge # Kubernetes 1.29 has no such kinds

.PHONY: pictures
pictures: ## Draw pictures of docs/images anew: a terminal, from what the program writes into one, and the dashboard, from what a Prometheus answers that scrapes servers at work (Linux; four minutes).
	$(GO) test -tags=e2e -count=1 -run '^TestPicture$$' ./test/terminal -update
	$(GO) test -tags=e2e -count=1 -timeout 20m -run '^TestDashboards$$' ./test/alerts -pictures

.PHONY: verify-generate
verify-generate: ## Generate, and fail when that changes a file.
	GO="$(GO)" .ci/verify-generate

.PHONY: ci
ci: ## Run what CI runs, with the time of each step.
	.ci/run

.PHONY: clean
clean: ## Remove what was built here. Go's own caches stay.
	rm -rf bin dist
