// Package objects makes claims and templates for tests: random, valid in their own version, and as varied as the API
// allows. The same seed makes the same objects.
package objects
