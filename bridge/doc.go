// Package bridge lets any Go client of Kubernetes use any version of resource.k8s.io with any cluster. Use it for a
// program that knows only v1 on clusters of 1.32 and 1.33, which serve v1beta1, or for a program that knows only
// v1beta1 on clusters that serve only v1. Add one line after you create the configuration:
//
//	config.Wrap(bridge.Transport(bridge.Options{}))
//
// The bridge is an [http.RoundTripper] that wraps the one of the configuration. So it works with typed and dynamic
// clients, informers, controller-runtime and Kubernetes' DRA helper. Requests in a version that the cluster serves,
// and requests for other groups, are forwarded unchanged. A request in another version is sent in the newest version
// that both know, with the same transport and credentials. The response is converted to the requested version:
// objects, lists, tables, events and errors. Discovery lists all versions.
//
//   - Kinds: ResourceClaim with its status, ResourceClaimTemplate, DeviceClass and ResourceSlice.
//   - Versions: v1, v1beta2 and v1beta1 in any combination. v1alpha3, v1alpha2 and v1alpha1 of claims and templates
//     only for reading, from v1.
//   - Verbs: create, update, delete, deletecollection, get, list, watch, patch and server-side apply.
//   - A field that the cluster's release does not have is rejected, with the field and the release. The API server
//     would drop it.
//   - If the cluster does not serve the group, [Options.Absent] selects the response.
//
// The bridge stores only which versions the cluster serves. docs/bridge.md lists the differences from a cluster that
// serves the version itself.
package bridge
