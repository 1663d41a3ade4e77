// Package test holds the tests that look at the project as a whole. It has no code of its own.
package test
