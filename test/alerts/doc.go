// Package alerts tests the alerts of the manifests as they will be used: the real server meets the
// real faults, what it says at /metrics meanwhile becomes series, and promtool tells which alerts
// that fires, and which an hour of ordinary use does.
package alerts
