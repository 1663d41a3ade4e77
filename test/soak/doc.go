// Package soak sends requests of an adversary to a server, one by one, several at once, and beside honest calls.
package soak
