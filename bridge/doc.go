// Package bridge lets any Go client of Kubernetes use v1, v1beta2 or v1beta1 of resource.k8s.io with a cluster that
// serves another of these versions. Use it for a program that knows only v1 on clusters of 1.32 and 1.33, which serve
// v1beta1, or for a program that knows only v1beta1 on clusters that serve only v1. Add one line after you create the
// configuration:
//
//	config.Wrap(bridge.Transport(bridge.Options{}))
//
// The bridge is an [http.RoundTripper] that wraps the one of the configuration. So it works with typed and dynamic
// clients, informers, controller-runtime and Kubernetes' DRA helper. Requests in a version that the cluster serves,
// and requests for other groups, are forwarded unchanged. A request in another version is sent in the newest version
// that the cluster serves, with the same transport and credentials. The response is converted to the requested version:
// objects, lists, tables, events and field paths of errors. Discovery lists all versions.
//
//   - Kinds: ResourceClaim with its status, ResourceClaimTemplate, DeviceClass and ResourceSlice.
//   - Verbs: create, update, delete, deletecollection, get, list, watch, patch and server-side apply.
//   - A field that the cluster's release does not have is rejected. The API server would drop it.
//   - If the cluster serves none of the versions, [Options.Absent] selects between 404 and empty lists.
//
// The bridge stores only which versions the cluster serves. docs/bridge.md lists the differences from a cluster that
// serves the version itself. The package sets the copy limit of gopkg.in/evanphx/json-patch.v4 for the program, as
// kube-apiserver does, if it is not set.
//
// The package is in a separate Go module, which needs only client-go 0.31 and Go 1.22, so that it does not upgrade the
// modules of the program.
package bridge
