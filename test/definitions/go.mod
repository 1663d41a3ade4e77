// CRDs that tests install: Application of Argo CD and ServiceMonitor of the Prometheus operator. No package imports these
// modules, because the tests read only the CRD files in them. Do not run go mod tidy here: it would remove both.
module github.com/claimbridge/claimbridge/test/definitions

go 1.26.3

require (
	github.com/argoproj/argo-cd/v3 v3.5.7
	github.com/prometheus-operator/prometheus-operator v0.90.1
)
