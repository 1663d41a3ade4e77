// Package v1alpha3 is the folder in which the tests of the defaults of v1alpha3 run, see package defaults.
package v1alpha3
