// Package programs builds the programs that tests run, each from a module of its own, and keeps them in the user's cache.
package programs
