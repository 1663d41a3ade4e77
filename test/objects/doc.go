// Package objects generates claims and templates for tests: random, valid in their own version, and as varied as the
// API allows. The same seed generates the same objects.
package objects
