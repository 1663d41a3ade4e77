//go:build oracle

package oracle

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/validation"
)

// TestRecordedResultsMatchUpstream asks the chosen releases all that is recorded of them. With
// CLAIMBRIDGE_RECORD=1 it is recorded again.
func TestRecordedResultsMatchUpstream(t *testing.T) {
	manifests := corpus(t)
	validators := chosen(t)
	for _, version := range conversion.Versions() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			r := open(t, version, serving(version))
			for _, v := range validators {
				if r.column(v.Name) < 0 {
					continue
				}
				t.Run("Kubernetes "+v.Name, func(t *testing.T) {
					write := func(seed uint64) validation.Request {
						return generated(t, version, v.Name, seed, manifests[version]).request(t)
					}
					a := trial{
						version: version, upstream: r.beside(t, v), rest: seeds(firstWrites, recordedWrites),
						write: write,
					}
					a.seeds = seeds(0, firstWrites, r.Further[v.Name]...)
					if updating {
						a.further = func(rule string) (uint64, bool) { return r.search(t, v.Name, rule, write) }
					}
					a.agree(t)
				})
			}
			r.save(t)
		})
	}
}

// TestRecordsOfConversionsAndProjectionsMatchUpstream as well.
func TestRecordsOfConversionsAndProjectionsMatchUpstream(t *testing.T) {
	for _, m := range recordsOfObjects {
		_, r := m.all(t)
		for _, v := range chosen(t) {
			if r.column(v.Name) >= 0 {
				t.Run(m.what+" of Kubernetes "+v.Name, func(t *testing.T) { m.agree(t, r.beside(t, v), 0, m.count) })
			}
		}
		r.save(t)
	}
}

// search finds another write that a rule of claimbridge rejects.
func (r *record) search(t *testing.T, release, rule string, write func(seed uint64) validation.Request) (uint64, bool) {
	t.Helper()
	for seed := uint64(firstWrites); seed < 100*recordedWrites; seed++ {
		w := write(seed)
		w.Release = release
		result, err := validation.Validate(t.Context(), w)
		if err == nil && slices.ContainsFunc(result.Errors, func(e validation.Error) bool { return e.Rule == rule }) {
			r.Further[release] = append(r.Further[release], seed)
			return seed, true
		}
	}
	return 0, false
}

// beside the record, a running validator.
func (r *record) beside(t *testing.T, v Validator) *upstream {
	t.Helper()
	if updating {
		r.forget(v.Name)
	}
	u := v.start(t)
	u.source = witness{u.source, recorded{r, v.Name}}
	return u
}

// TestValidatorsReportTheirRelease asks the validators of 1.32 and later what they say, in all versions that they
// serve.
func TestValidatorsReportTheirRelease(t *testing.T) {
	for _, v := range chosen(t) {
		if v.Name < "1.32" {
			continue
		}
		t.Run("Kubernetes "+v.Name, func(t *testing.T) {
			asked, stored := map[string]*upstream{}, map[bool]int{}
			for name, p := range probes(t) {
				for _, version := range v.Versions {
					want, wanted := p.wanted(v.Name, version)
					if !wanted {
						continue
					}
					if asked[p.Gates] == nil {
						asked[p.Gates] = v.start(t, p.Gates)
					}
					got := asked[p.Gates].summary(t, p.request(t, version))
					if got != want {
						t.Errorf("%s, %s\n got: %s\nwant: %s", name, version, orElse(got, "stored"),
							orElse(want, "stored"))
					}
					stored[got == ""]++
				}
			}
			if t.Logf("%d refused, %d stored", stored[false], stored[true]); stored[false] < 40 || stored[true] < 20 {
				t.Error("that is too few to say something about the release")
			}
		})
	}
}

// summary of an answer: types and fields of the errors, in order.
func (u *upstream) summary(t *testing.T, r validation.Request) string {
	t.Helper()
	a := u.ask(t, r)
	if a.Undecodable+a.Panic != "" {
		return "undecodable " + a.Undecodable + a.Panic
	}
	return strings.Join(slices.Sorted(maps.Keys(contentOf(a))), ", ")
}
