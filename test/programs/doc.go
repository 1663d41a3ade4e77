// Package programs builds the programs that tests run, out of modules of their own, and keeps them in the user's cache.
package programs
