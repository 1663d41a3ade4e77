// Package v1beta2 is the folder in which the tests of the defaults of v1beta2 run, see package defaults.
package v1beta2
