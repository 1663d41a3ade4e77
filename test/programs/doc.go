// Package programs builds the programs that tests run from separate modules, and stores them in the user's cache.
package programs
