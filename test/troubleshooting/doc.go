// Package troubleshooting produces every text that docs/troubleshooting.md quotes, with the programs and API servers
// that print it to users, and then runs the remedies of the page. Each script of testdata is a session, in which a line
//
//	shows 'part of a quote' 'command for a shell'
//
// runs a command until it prints the quoted text, or fails after a time limit.
package troubleshooting
