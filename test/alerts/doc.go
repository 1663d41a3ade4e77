// Package alerts tests the alerts of the manifests. It causes real faults in a real server, records its metrics as
// series, and checks with promtool which alerts fire, and that an hour of normal use fires none.
package alerts
