# Requires Go and GNU make. Tools are pinned in tools/go.mod and built by Go, so users of the library don't get them as
# dependencies.

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

# Main packages that go.mod ignores, so that go install ./... builds only user programs. Checks also run on these.
PROGRAMS := $(shell sed -n '/^ignore (/,/^)/s/^\t//p' go.mod)

# Packages with the build tag e2e, whose tests start API servers or build programs. The name of a suite is its folder.
E2E := $(sort $(dir $(shell grep -rl --include='*_test.go' '^//go:build e2e' cmd test webhook)))
SUITE ?= $(notdir $(E2E:/=))
suites = $(sort $(foreach suite,$(SUITE),$(or $(filter %/$(suite)/,$(addprefix ./,$(E2E))),$(error unknown suite $(suite), must be one of: $(notdir $(E2E:/=))))))
E2EFLAGS ?=
RELEASES ?=
UPDATE ?=

# Slow packages without concurrent code. In internal/cli, whose scripts start hundreds of programs, only the servers are
# concurrent, so make race runs their tests by name.
SEQUENTIAL = %/api %/internal/cli %/config %/internal/conversion %/internal/conversion/preserve \
	%/internal/findings %/internal/yamldoc %/internal/yamledit %/test/oracle %/test/unstructured

# The suites that make test runs on a real API server.
MAIN_SUITES = cluster certificates repositories webhooktest

.DEFAULT_GOAL := help

.PHONY: help
help: ## Show this list.
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)$$/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 26

.PHONY: build
build: ## Build bin/claimbridge as in the image, without cgo.
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w" -o bin/claimbridge ./cmd/claimbridge

.PHONY: run
run: ## Start the server on this machine (ARGS="convert --help" for another command).
	$(GO) run ./cmd/claimbridge $(ARGS)

.PHONY: check
check: ## Vet and run the unit tests, with few objects in property tests: 3 minutes.
	$(GO) vet ./... $(PROGRAMS)
	$(GO) test -short -vet=off ./... $(PROGRAMS)
	$(GO) -C bridge vet ./...
	$(GO) -C bridge test -vet=off ./...

.PHONY: test
test: check ## Run make check, and the main suites on a real kube-apiserver: 5 minutes, and 10 to build it once.
	$(MAKE) e2e SUITE='$(MAIN_SUITES)' E2EFLAGS=-short

.PHONY: e2e
e2e: ## Run the suites with API servers or programs in full: all, or SUITE="cluster preflight".
	$(GO) test -tags=e2e -vet=off -count=1 -timeout 45m -p 3 -parallel 4 $(E2EFLAGS) $(suites)

.PHONY: race
race: ## Run the unit tests of concurrent packages with the race detector. Requires a C compiler.
	@# By default, a program with the race detector sleeps for a second before it exits, and scripts start hundreds of programs.
	GORACE=atexit_sleep_ms=0 $(GO) test -race -short -vet=off -timeout 30m $(filter-out $(SEQUENTIAL),$(shell $(GO) list ./... $(PROGRAMS)))
	GORACE=atexit_sleep_ms=0 $(GO) test -race -short -vet=off -timeout 30m -run 'Serve|Proxy' ./internal/cli
	$(GO) -C bridge test -race -vet=off ./...

.PHONY: test-full
test-full: ## Run the unit tests in full, with more objects in property tests, and with the tests that count memory allocations.
	$(GO) test -vet=off -count=1 -timeout 30m ./... $(PROGRAMS)

.PHONY: test-all
test-all: RELEASES = all
test-all: vet lint test race test-full e2e oracle fuzz check-bench check-release test-node ## Run all tests and checks.
	@$(GO) run ./test/next >/dev/null || printf '\nwarning: the recorded changes of the next Kubernetes release are older than its modules: run make next\n' >&2

.PHONY: oracle
# UPDATE=1 records the results.
oracle: test-older ## Compare results and random writes with Kubernetes' validation of RELEASES ("1.31 1.37", or all).
	CLAIMBRIDGE_RELEASES="$(RELEASES)" CLAIMBRIDGE_RECORD="$(UPDATE)" $(GO) test -tags=oracle -vet=off -count=1 -timeout 120m -p 1 -v ./test/oracle

.PHONY: test-older
test-older: ## Test the bridge on the API servers of 1.32 and 1.33, as far as RELEASES has them.
	CLAIMBRIDGE_RELEASES="$(RELEASES)" $(GO) test -tags=oracle -vet=off -count=1 -timeout 60m -v ./test/bridge/older

.PHONY: next
next: ## Print the changes for claims in the next release of Kubernetes, and the row of a table for each.
	$(GO) run ./test/next

.PHONY: oracle-all
oracle-all: ## Run make oracle for all releases, with 20,000 random writes in each version.
	CLAIMBRIDGE_COMPARISONS=20000 $(MAKE) oracle RELEASES=all

.PHONY: envtest
envtest: ## Print the folder with etcd, kube-apiserver and kubectl, which are built once (KUBEBUILDER_ASSETS has others).
	@$(GO) run ./test/controlplane/envtest

.PHONY: test-node
test-node: ## Run the tests with pods, each in a separate cluster (Linux and root, docs/node.md).
	$(GO) test -tags=node -vet=off -count=1 -p 1 -parallel 3 -v -timeout 60m ./test/node/... $(filter ./test/node/%,$(PROGRAMS))

.PHONY: node
node: ## Run a cluster of one node until Ctrl-C, with the images of this checkout (docs/node.md).
	@$(GO) run ./test/node/check
	$(GO) run ./test/node/up $(NODEFLAGS)

.PHONY: bench
bench: ## Compare the speed with other webhooks and Kubernetes' validation: 15 minutes, or ONLY='Call|Review' ROUNDS=3.
	GO="$(GO)" ONLY="$(ONLY)" ROUNDS="$(ROUNDS)" .ci/bench

.PHONY: soak
# Normal calls, 50 per second, must succeed within 10 s after the attack, with memory below the limit of the manifests.
soak: ## Send hostile requests to the server for SOAK (5m), then run property tests of conversion for as long.
	$(GO) test -tags=e2e -vet=off -count=1 -timeout 0 -short -v -run TestSoak ./test/soak -soak=$(SOAK)
	CLAIMBRIDGE_FOR=$(SOAK) $(GO) test -short -vet=off -count=1 -timeout 0 ./internal/conversion ./test/unstructured

.PHONY: check-bench
check-bench: ## Vet the benchmarks, and run them for some seconds, without checking the results.
	$(GO) -C test/bench/stock vet ./...
	$(GO) test -tags=e2e -vet=off -count=1 -timeout 0 -short -v -run TestSoak ./test/soak -soak=3s
	GO="$(GO)" ONLY='Call|Review|Memory|Start|Pair|File|Folder|Bridge|APIServer' ROUNDS=1 BENCHFLAGS='-test.short -test.benchtime=30ms' .ci/bench

.PHONY: fuzz
fuzz: ## Run each fuzz target for FUZZTIME (10s).
	GO="$(GO)" FUZZTIME="$(FUZZTIME)" .ci/fuzz

.PHONY: vet
vet: ## Run go vet, including tests with build tags.
	$(GO) vet -tags=e2e,node,oracle ./... $(PROGRAMS)
	$(GO) -C bridge vet ./...

.PHONY: lint
lint: ## Run golangci-lint, which also checks formatting and spelling, and check the spelling of the documentation.
	$(TOOL) golangci-lint run ./... $(PROGRAMS)
	cd bridge && $(GO) tool -modfile=../tools/go.mod golangci-lint run ./...
	$(GO) run -modfile=tools/go.mod github.com/golangci/misspell/cmd/misspell -locale US -i misspelt -error $(wildcard *.md docs/*.md docs/decisions/*.md internal/cli/help/*.txt)

.PHONY: fmt
fmt: ## Format the Go code.
	$(TOOL) golangci-lint fmt
	cd bridge && $(GO) tool -modfile=../tools/go.mod golangci-lint fmt

.PHONY: generate
generate: ## Generate deepcopy code, the manifests, and the chart's files.
	$(GO) generate ./...

.PHONY: manifests
manifests: ## Generate the custom resource definitions, the manifests in config/, and the chart's copies of them.
	$(GO) generate ./api ./config

.PHONY: image
image: ## Build the image IMG for PLATFORMS, as an OCI archive in bin/images, and print its digest. Requires only Go.
	@GO="$(GO)" VERSION="$(VERSION)" PLATFORMS="$(PLATFORMS)" .ci/image $(IMG)

# No release is published, so the default IMG can't be pulled: IMG is required, or VERSION of a published release.
EXPLICIT_IMAGE = $(if $(filter file,$(origin IMG)),$(if $(filter file,$(origin VERSION)),,$(filter v%,$(VERSION))),$(IMG))
REQUIRE_IMAGE = test -n '$(EXPLICIT_IMAGE)' || \
	{ echo 'error: IMG is required: make $@ IMG=registry.example.com/claimbridge:tag, or VERSION=v0.2.0 for the published image' >&2; exit 1; }

.PHONY: image-push
image-push: ## Build the image, and push it to its registry, with the credentials of docker login.
	@$(REQUIRE_IMAGE)
	@GO="$(GO)" VERSION="$(VERSION)" PLATFORMS="$(PLATFORMS)" .ci/image --push $(IMG)

.PHONY: release
release: ## Build the release VERSION in dist, reproducibly (docs/releases.md): 20 minutes on two cores.
	@test '$(origin VERSION)' != file && test -n '$(VERSION)' || { echo 'error: VERSION is required: make release VERSION=v0.2.0' >&2; exit 1; }
	GO="$(GO)" $(GO) -C tools/release run . --root=$(CURDIR) --output=$(CURDIR)/dist --version=$(VERSION) $(RELEASEFLAGS)

.PHONY: check-release
check-release: ## Test the tools for images and releases: build a release for this machine twice, and run its programs.
	$(GO) -C tools/release vet ./...
	$(GO) -C tools/release test -count=1 -timeout 25m ./...

.PHONY: deploy
# CERTIFICATES is cert-manager, self or files.
deploy: ## Apply the manifests to your cluster (GROUP=claims.example.com IMG=registry.example.com/claimbridge:tag).
	@$(REQUIRE_IMAGE)
	manifests=$$($(GO) run ./cmd/claimbridge manifests --group=$(GROUP) --namespace=$(NAMESPACE) --image=$(IMG) --certificates=$(CERTIFICATES)) && \
	printf '%s\n' "$$manifests" | $(KUBECTL) apply --server-side -f -

# ONE_VERSION is a patch that serves only v1, without conversion, so that claims remain readable without the webhook. Its
# test operations fail if the order of versions changed.
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
# These are the steps 1 to 3 of docs/operations.md#uninstall.
undeploy: ## Delete everything except the claims from your cluster (GROUP=claims.example.com).
	@test -n "$(GROUP)" || { echo 'error: GROUP is required: the API group of the claims, such as GROUP=claims.example.com' >&2; exit 1; }
	$(KUBECTL) patch crd resourceclaims.$(GROUP) resourceclaimtemplates.$(GROUP) --type=json -p '$(ONE_VERSION)'
	$(KUBECTL) delete --ignore-not-found validatingwebhookconfiguration,mutatingwebhookconfiguration claimbridge
	$(KUBECTL) delete --ignore-not-found namespace $(NAMESPACE)
	$(KUBECTL) delete clusterrolebinding -l app.kubernetes.io/name=claimbridge
	$(KUBECTL) delete clusterrole -l 'app.kubernetes.io/name=claimbridge,app.kubernetes.io/component!=claims'
	-$(KUBECTL) delete validatingadmissionpolicy,validatingadmissionpolicybinding -l app.kubernetes.io/name=claimbridge # Kubernetes before 1.30 does not serve these kinds by default

.PHONY: pictures
pictures: ## Draw the pictures of the terminal and the dashboard in docs/images (Linux, 4 minutes).
	$(GO) test -tags=e2e -count=1 -run '^TestPicture$$' ./test/terminal -update
	$(GO) test -tags=e2e -count=1 -timeout 20m -run '^TestDashboards$$' ./test/alerts -pictures

.PHONY: verify-generate
verify-generate: ## Generate, and fail if a file changes.
	GO="$(GO)" .ci/verify-generate

.PHONY: ci
ci: ## Run all steps of CI, and print the time of each.
	.ci/run

.PHONY: clean
clean: ## Delete the programs and releases that were built. Keeps Go's caches.
	rm -rf bin dist
