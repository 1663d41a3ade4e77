// Definitions of others, for tests: of Argo CD's Application and of the Prometheus operator's ServiceMonitor. Nothing is built of
// this module: the definitions are files of the releases, which nothing imports, so go mod tidy would take both out.
module github.com/claimbridge/claimbridge/test/definitions

go 1.26.3

require (
	github.com/argoproj/argo-cd/v3 v3.5.7
	github.com/prometheus-operator/prometheus-operator v0.90.1
)
