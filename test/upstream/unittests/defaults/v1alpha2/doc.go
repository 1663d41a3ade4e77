// Package v1alpha2 is the folder in which the tests of the defaults of v1alpha2 run, see package defaults.
package v1alpha2
