# Needs Go and GNU make. Every tool is pinned in tools/go.mod and built by Go; library users do not inherit them.

GO ?= go
TOOL = $(GO) tool -modfile=tools/go.mod
FUZZTIME ?= 10s
BENCH ?= full
SOAK ?= 5m
ARGS ?= serve
KUBECTL ?= kubectl
CONTAINER_TOOL ?= docker
IMG ?= ghcr.io/claimbridge/claimbridge:v0.1.0
APISERVER_IMG ?= ghcr.io/claimbridge/claimbridge-apiserver:v0.1.0
GROUP ?=
NAMESPACE ?= claimbridge-system
CERTIFICATES ?= cert-manager

# Tests that start API servers or the program, and wait for them more than they compute, and those that render manifests, one after the
# other. The race detector would make them ten times slower; what is served is tested with it in the other packages.
SERVERS = ./cmd/claimbridge ./config ./test/integrations ./test/preflight ./test/certificates ./test/cluster ./test/soak ./test/manifests ./test/aggregated ./test/apiservices ./test/tour/aggregated ./cmd/claimbridge-apiserver/internal/transcode ./cmd/claimbridge-apiserver/internal/guard

# Tests of one goroutine that take a minute under the race detector, where all of their package take one.
UNRACED = ^(TestBigClaims|TestAttackersChangeNothingUnseen|TestBrokenObjectsAreRefusedByName|TestDeepValuesCostNoMoreThanFlatOnes|TestHostileTextsTakeNoTime)$$

# Tests that try fewer objects under the race detector, or nothing as it allocates itself.
IN_FULL = ^(TestLaws|TestLawsHoldForTheCorpus|TestLawOfValidity|TestFragmentsGainNothing|TestInspectFindsNothingInHonestCopies|$\
  TestUpstreamAgrees.*|TestConvertedObjectsAreValidUpstream|TestNoExpressionCostsMoreThanItWeighs|TestNoWriteCostsMoreThanItsBudget)$$

# Releases that are asked about as many writes as prove that every rule fires: those whose rules are for v1alpha1 to v1alpha3 alone.
WHOLE = ^TestUpstreamAgrees$$/^Kubernetes_1.(26|30|31)_

.DEFAULT_GOAL := help

.PHONY: help
help: ## Show this list.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)$$/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 26

.PHONY: build
build: ## Build bin/claimbridge and bin/claimbridge-apiserver as the images have them, without a C library.
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w" -o bin/ ./cmd/claimbridge ./cmd/claimbridge-apiserver

.PHONY: run
run: ## Start the server on this machine (ARGS="convert --help" for another command).
	$(GO) run ./cmd/claimbridge $(ARGS)

.PHONY: test
test: judges envtest clients renderers ## Run every test, with the race detector (which needs a C compiler) but for what is too slow for it: real API servers, the laws and upstream's verdicts over more objects, with their seed, and what is allocated.
	CLAIMBRIDGE_OBJECTS=100 CLAIMBRIDGE_COMPARISONS=400 $(GO) test -race -timeout 30m -skip '$(UNRACED)' $(filter-out $(addprefix %,$(SERVERS:.%=%)),$(shell $(GO) list ./...))
	$(GO) test -count=1 -p 2 -timeout 30m $(SERVERS)
	CLAIMBRIDGE_OBJECTS=1000 CLAIMBRIDGE_COMPARISONS=4000 $(GO) test -count=1 -timeout 30m -v -run '$(IN_FULL)|$(UNRACED)' -skip '$(WHOLE)' ./internal/... ./cmd/claimbridge/internal/splice ./conversion/... ./validation/... ./test
	$(GO) test -count=1 -timeout 30m -run '$(WHOLE)' ./test

.PHONY: judges
judges: ## Build Kubernetes' own validation of six releases, which tests ask; eight minutes on two cores once, then kept in the user's cache.
	$(GO) test -count=1 -timeout 60m -run '^TestJudgesBuild$$' ./test

.PHONY: test-releases
test-releases: ## Ask all nine releases of Kubernetes about 20,000 writes in each version that they serve, 1.32, 1.34 and 1.35 included, which make test leaves out; their judges take four minutes on two cores more, once.
	CLAIMBRIDGE_RELEASES=all $(GO) test -count=1 -timeout 60m -v -run '^(TestJudges.*|TestUpstreamAgrees.*|TestConversionIsUpstreams|TestALensShows.*)$$' ./test

.PHONY: envtest
envtest: ## Print the folder with etcd, kube-apiserver and kubectl; unless KUBEBUILDER_ASSETS names one they are built, once, in about five minutes.
	@$(GO) run ./test/controlplane/envtest

.PHONY: clients
clients: ## Build typed Go clients of Kubernetes 1.26 to 1.36, which tests run; some six minutes once, then kept in the user's cache.
	$(GO) test -count=1 -timeout 60m -run '^TestClientsBuild$$' ./test/clients

.PHONY: renderers
renderers: ## Build kustomize and Helm 3 and 4, which tests let run claimbridge; some four minutes once, then kept in the user's cache.
	$(GO) test -count=1 -timeout 60m -run '^TestRenderersBuild$$' ./test/integrations

.PHONY: bench-validation
bench-validation: ## Measure verdicts beside those of Kubernetes' own code.
	GO="$(GO)" .ci/bench-validation

.PHONY: bench
bench: ## Measure beside a null webhook and a stock one, and print one table with ratios (BENCH=quick takes two minutes, full some twenty).
	$(GO) -C test/bench run . --root=../.. --go="$(GO)" --mode=$(BENCH) $(BENCHFLAGS)

.PHONY: soak
soak: ## Keep the server busy with an adversary's requests for SOAK (5m), beside 50 honest calls a second: none may be lost, and its memory must stay below the limit of the manifests.
	$(GO) build -o bin/claimbridge ./cmd/claimbridge
	$(GO) run ./test/soak --program=bin/claimbridge --for=$(SOAK)

.PHONY: check-bench
check-bench: ## Vet and test the modules that measure, and run them for some seconds, whatever the figures.
	for module in test/bench test/bench/stock; do $(GO) -C $$module vet ./... && $(GO) -C $$module test ./... || exit 1; done
	$(MAKE) soak SOAK=10s
	$(MAKE) bench BENCH=smoke BENCHFLAGS=--only=calls,reviews,startup,files,aggregated

.PHONY: fuzz
fuzz: ## Run each fuzz target for FUZZTIME (10s).
	GO="$(GO)" FUZZTIME="$(FUZZTIME)" .ci/fuzz

.PHONY: vet
vet: ## Run go vet.
	$(GO) vet ./...

.PHONY: lint
lint: ## Run golangci-lint, formatting included.
	$(TOOL) golangci-lint run

.PHONY: fmt
fmt: ## Format the Go code.
	$(TOOL) golangci-lint fmt

.PHONY: generate
generate: ## Generate deepcopy and JSON code and custom resource definitions from the types in api/, the manifests in config/rendered, and docs/rules.md.
	$(GO) generate ./...

.PHONY: manifests
manifests: ## Generate the custom resource definitions and render the manifests in config/.
	$(GO) generate ./api ./config

.PHONY: docker-build
docker-build: ## Build the images IMG and APISERVER_IMG (needs docker and registries).
	$(CONTAINER_TOOL) build -t $(IMG) .
	$(CONTAINER_TOOL) build --target=claimbridge-apiserver -t $(APISERVER_IMG) .

.PHONY: deploy
deploy: ## Apply the manifests to the cluster of your kubeconfig (GROUP=claims.example.com, IMG, CERTIFICATES=cert-manager|self|files).
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

.PHONY: verify-generate
verify-generate: ## Generate, and fail when that changes a file.
	GO="$(GO)" .ci/verify-generate

.PHONY: ci
ci: ## Run what CI runs: vet, lint, verify-generate, fuzz, check-bench, test.
	.ci/run

.PHONY: clean
clean: ## Remove what was built here. Go's own caches stay.
	rm -rf bin
