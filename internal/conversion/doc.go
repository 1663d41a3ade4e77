// Package conversion is the implementation of the public package conversion, with what only claimbridge's packages
// need: [AppendConverted] for the webhook, [ParsedObject] and [Options.Inspect] for validation, and [Explain] and
// [FindIgnoredByDrivers] for the command line.
//
// v1 is the hub. Package hub converts typed claims between v1 and each older version. Data that
// only an older version can represent is stored in v1 as configuration entries of claimbridge. Data
// that only v1 can represent is preserved by package preserve: in annotations and a status field of
// the claim in the older version.
//
// The package is pure: it has no clock, no client and no log, and does not change its arguments. Its promises are the
// property tests in properties_test.go, which hold for every pair of versions.
package conversion
