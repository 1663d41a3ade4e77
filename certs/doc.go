// Package certs provides serving certificates for webhook servers, from one of three sources:
//
//   - [Files]: certificate files that another program writes, for example a Secret that cert-manager issues.
//   - [InMemory]: a CA that is generated in memory and is lost when the process ends, for development and tests.
//   - [InSecret]: a CA that all replicas share in a Secret. The package keeps the caBundles of CRDs and webhook
//     configurations up to date and rotates the CA so that clients never reject a replica's certificate.
//
// Each has a method Open, which returns a [Source]. A Source has the methods GetCertificate, for a [crypto/tls.Config],
// and Start, which keeps the certificate up to date. controller-runtime's certwatcher.CertWatcher has the same methods.
//
// # Rotation of a shared CA
//
// The order is always Secret, caBundles, signature: a new CA is stored in the Secret first, then added to every
// caBundle in addition to the old one. It signs only after every caBundle contains it. The old CA is removed after the
// last certificate that it signed has expired. If neither the Secret nor a caBundle has a valid CA, as at the first
// start, the first CA signs immediately. If the current CA has expired, the next CA signs as soon as every caBundle
// contains it.
//
// There is no leader. The function plan (plan.go) computes the next step from the Secret, the caBundles and the time.
// When replicas take a step at the same moment, the resourceVersion of the Secret lets one of them succeed. A replica
// that cannot reach the API server continues with the CA that it read last.
//
// # Comparison with cert-manager
//
// If the cluster runs cert-manager, prefer it: it issues the certificate into a Secret, its cainjector writes the
// caBundles, and the policies and the monitoring that the cluster has for certificates apply. Mount that Secret and use
// [Files]. The server then needs no permissions.
//
// [InSecret] is for clusters without cert-manager. It resembles cert-manager's DynamicAuthority
// (pkg/server/tls/authority): both keep a CA in a Secret, without a leader, and sign one certificate per replica. They
// differ in this:
//
//   - DynamicAuthority signs with a new CA as soon as the Secret has it. Until the caBundles have it, clients reject
//     the certificate. InSecret publishes a CA before the CA signs, and keeps the old CA until its last certificate
//     has expired.
//   - DynamicAuthority leaves caBundles to another program. InSecret writes them and needs the permissions to patch
//     the CRDs and webhook configurations that it names.
//   - DynamicAuthority watches the Secret through a client-go informer. InSecret polls with up to one small request per
//     object every 10 seconds.
package certs
