// Package bridge makes any Go client of Kubernetes speak any version of resource.k8s.io with any
// cluster. It is for a program that knows v1 alone and meets clusters of 1.32 and 1.33, which serve
// v1beta1, or knows v1beta1 alone and meets those that serve v1 alone. One line where the
// configuration is made is all:
//
//	config.Wrap(bridge.Transport(bridge.Options{}))
//
// It is an [http.RoundTripper] over that of the configuration, so that typed clients, dynamic ones,
// informers, controller-runtime and Kubernetes' own DRA helper have it alike. A request in a
// version that the cluster serves goes through as it is, as does everything that is not of the
// group. One in another version is sent in the newest that both know, by the same transport and
// with the same credentials, and the answer comes back in the version that was asked for: objects,
// lists, tables, events and errors. Discovery shows all of them.
//
//   - ResourceClaim with its status, ResourceClaimTemplate, DeviceClass and ResourceSlice; any of
//     v1, v1beta2 and v1beta1 over any other; v1alpha3, v1alpha2 and v1alpha1 of claims and
//     templates to look at, over v1.
//   - Create, update, delete, deletecollection, get, list, watch, server-side apply and the three other patches.
//   - What the cluster's release cannot say is refused with the field and the release, since its
//     API server would drop it.
//   - A cluster without the group is as one that has no devices, or refuses as it does by itself: [Options.Absent].
//
// Nothing is kept but which versions the cluster serves. See docs/bridge.md for what differs from a
// cluster that serves the version itself.
package bridge
