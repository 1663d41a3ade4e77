// Package unstructured holds property tests of package bridge/jsonconvert, and of the preservation of data for older
// versions. They need the types and the random objects of this module.
package unstructured
