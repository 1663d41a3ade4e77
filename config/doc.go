// Package config has the manifests that install claimbridge in a cluster, as YAML.
//
// They are written for kustomize, in kubebuilder's layout: crd, webhook, certmanager, rbac,
// manager, network-policy, admission-policy, admin-access-policy, prometheus, alerts and dashboard,
// put together by default (certificates of cert-manager) and by overlays/self and overlays/files.
// What kustomize makes of them is kept in rendered and embedded here; [Manifests] puts a group,
// namespace and image of one's own into it. Nothing but the standard library is needed for that.
// The Helm chart in charts/claimbridge is written by hand and held to the same objects by a test;
// what is long, such as schemas, is copied into its files. components/bridge is for manifests of
// others: it puts the bridge into their pods.
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
