// Package v1alpha1 is the folder in which the tests of the defaults of v1alpha1 run, see package defaults.
package v1alpha1
