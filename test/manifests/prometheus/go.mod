// The definition of ServiceMonitor, for tests. Nothing is built from this module.
module github.com/claimbridge/claimbridge/test/manifests/prometheus

go 1.26.0

require github.com/prometheus-operator/prometheus-operator v0.90.1
