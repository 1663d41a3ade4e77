// Package soak sends expensive requests to a server: one by one, several at once, and together with normal calls.
package soak
