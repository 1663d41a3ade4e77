// Package troubleshooting makes every text that docs/troubleshooting.md quotes, with the programs
// and API servers that people see it from, and does what the page says then. Each script of
// testdata is a session, in which a line
//
//	shows 'part of a quote' 'command for a shell'
//
// runs a command until it prints what the page quotes, for a minute at most.
package troubleshooting
