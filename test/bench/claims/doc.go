// Package claims makes the claims that are measured with: as a cluster in use has them, with everything that travels with a
// claim from storage (owner, finalizers, managed fields), each a little different from the one before.
//
// Unlike those of test/objects they are typical, not varied, and have a size that is asked for.
package claims
