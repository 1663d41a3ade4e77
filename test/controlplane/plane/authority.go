package plane

import (
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/certs"
)

// Authority is that of package certs, which new code asks itself.
type Authority = certs.Authority

// Pair is that of package certs.
type Pair = certs.Pair

// NewAuthority of a name, for a day.
func NewAuthority(name string) (*Authority, error) { return certs.NewAuthority(name, certs.Day) }

// NewAuthorityFor is NewAuthority for as long as its certificate and those that it signs are valid.
func NewAuthorityFor(name string, life time.Duration) (*Authority, error) {
	return certs.NewAuthority(name, certs.For(life))
}
