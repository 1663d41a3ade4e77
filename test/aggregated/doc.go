// Package aggregated holds the tests of the aggregated API server against real API servers. It has no code of its own.
//
// There are two control planes of the same release. One serves what the release serves by default, v1, and has the aggregated API
// server beside it. The other is the answer key: its own API server serves v1beta1 and v1beta2 as well, over the same v1. What one
// answers must be what the other answers, but for names and times, and for what the table of differences says.
package aggregated
