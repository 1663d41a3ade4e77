// Package bridge holds the tests of package bridge and of claimbridge proxy against real API
// servers. It has no code of its own.
//
// There are control planes of one release. One is the answer key: its API server serves v1, v1beta2
// and v1beta1 itself. Each of the others serves one of these alone, and is asked for the other two
// through a bridge. What comes out must be what the key answers, but for names and times, and for
// what the table of differences says.
package bridge
