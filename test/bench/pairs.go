package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/test/bench/claims"
)

// pair of versions: claims of one are asked for in the other.
type pair struct{ from, to string }

var (
	write = pair{"v1alpha2", "v1alpha3"} // what the stock webhook can do, and its way back
	read  = pair{"v1alpha3", "v1alpha2"}
	// currentPairs are of v1, the stored version. The stock webhook has no types for them.
	currentPairs = []pair{{"v1beta1", "v1"}, {"v1", "v1beta1"}, {"v1beta2", "v1"}, {"v1alpha2", "v1"}, {"v1", "v1alpha2"}}
)

func (p pair) String() string { return p.from + " to " + p.to }

// name of the pair in the name of a measurement or a file.
func (p pair) name() string { return p.from + "-to-" + p.to }

// review of the ith claim, which has about a size.
func (p pair) review(i, kib int) []byte {
	return claims.Review(p.to, claims.Sized(kib<<10, func(growth int) runtime.Object { return claims.In(p.from, i, growth) }))
}

// currentCalls measures calls of one claim of 2 KiB each, half of them writes in v1beta1, half reads, beside the null webhook.
func (b *bench) currentCalls(s *server) error {
	var bodies [][]byte
	for i := range 8 {
		bodies = append(bodies, currentPairs[0].review(i, 2), currentPairs[1].review(i, 2))
	}
	nothing, err := b.startNull(s, bodies)
	if err != nil {
		return err
	}
	defer nothing.stop()
	parties := []*server{nothing, s}
	for _, c := range b.cells {
		if c.kib != 2 {
			continue
		}
		for round := range b.rounds {
			for i := range parties { // another one begins each round
				party := parties[(i+round)%len(parties)]
				if _, err := b.call(currentCallName(party.name, c), party, c, bodies, apiServer); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func currentCallName(server string, c cell) string {
	return fmt.Sprintf("CurrentCall/server=%s/proto=%s/callers=%d/claim=%dKiB", server, c.proto, c.callers, c.kib)
}
