// Package config has the manifests that install claimbridge in a cluster, as YAML.
//
// They are a kustomize base in kubebuilder's layout: crd, webhook, certmanager, rbac, manager, network-policy,
// admission-policy, admin-access-policy, prometheus, alerts and dashboard. The directories default (certificates of
// cert-manager), overlays/self and overlays/files combine them. go generate renders them with kustomize to the
// directory rendered, which is embedded. [Manifests] writes your group, namespace and image into the rendered
// manifests, with the standard library only. The Helm chart in charts/claimbridge is written by hand, and a test
// compares its objects with the manifests. Long files, such as schemas, are copied to charts/claimbridge/files.
// components/bridge is a kustomize component that adds the bridge to other pods.
package config

//go:generate go tool -modfile=../tools/go.mod kustomize build default -o rendered/cert-manager.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build overlays/self -o rendered/self.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build overlays/files -o rendered/files.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build prometheus -o rendered/monitor.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build overlays/self/prometheus -o rendered/monitor-self.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build admission-policy -o rendered/admission-policy.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build admin-access-policy -o rendered/admin-access-policy.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build alerts -o rendered/alerts.yaml
//go:generate go tool -modfile=../tools/go.mod kustomize build dashboard -o rendered/dashboard.yaml
//go:generate cp crd/bases/resource.k8s.io_resourceclaims.yaml crd/bases/resource.k8s.io_resourceclaimtemplates.yaml alerts/rules.yaml dashboard/claimbridge.json charts/claimbridge/files
