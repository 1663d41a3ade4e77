// Command stock is the webhook that a careful author of an operator would write with
// controller-runtime: its webhook server, its conversion handler and its hub-and-spoke converters,
// with Kubernetes' own Go types of v1alpha2 and v1alpha3.
//
// It converts what both versions can say, and a handle's data by way of opaque configuration; all
// else it drops, so it does less than claimbridge does. That is in its favor.
package main
