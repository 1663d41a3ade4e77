// Command stock is a webhook that is written with controller-runtime's webhook server, conversion handler and
// hub-and-spoke converters, and Kubernetes' own Go types of v1alpha2 and v1alpha3.
//
// It converts data that both versions can represent, and the data of resource handles as opaque parameters. It drops
// all other data, so it does less work than claimbridge.
package main
