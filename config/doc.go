// Package config has the manifests that install claimbridge in a cluster, as YAML.
//
// They are written for kustomize, in kubebuilder's layout: crd, webhook, certmanager, rbac, manager, network-policy,
// admission-policy, admin-access-policy, prometheus, alerts and dashboard, put together by default (certificates of cert-manager) and by overlays/self and overlays/files. What
// kustomize makes of them is kept in rendered and embedded here; [Manifests] puts a group, namespace and image of
// one's own into it. Those of the aggregated API server are in aggregated, and [AggregatedManifests] gives them. Nothing but
// the standard library is needed for that. The templates of the Helm charts in config/charts/ are made of the same, by the program in chart.
package config

//go:generate go tool -modfile=../tools/go.mod kustomize build default -o rendered/cert-manager.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build overlays/self -o rendered/self.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build overlays/files -o rendered/files.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build prometheus -o rendered/monitor.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build overlays/self/prometheus -o rendered/monitor-self.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build admission-policy -o rendered/admission-policy.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build admin-access-policy -o rendered/admin-access-policy.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build aggregated/default -o rendered/aggregated-cert-manager.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build aggregated/overlays/self -o rendered/aggregated-self.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build aggregated/overlays/files -o rendered/aggregated-files.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build aggregated/act-as/caller-legacy -o rendered/aggregated-caller-legacy.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build aggregated/act-as/nobody -o rendered/aggregated-nobody.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build aggregated/prometheus -o rendered/aggregated-monitor.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build aggregated/overlays/self/prometheus -o rendered/aggregated-monitor-self.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build alerts -o rendered/alerts.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build aggregated/alerts -o rendered/aggregated-alerts.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build dashboard -o rendered/dashboard.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build aggregated/dashboard -o rendered/aggregated-dashboard.yaml
//go:generate go run ./chart charts
