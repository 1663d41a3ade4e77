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

// TestRecordedResultsMatchUpstream compares the recorded results with those of the chosen releases. With
// CLAIMBRIDGE_RECORD=1, it records them.
func TestRecordedResultsMatchUpstream(t *testing.T) {
	manifests := corpus(t)
	validators := chosen(t)
	for _, version := range conversion.Versions() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			r := openRecord(t, version, serving(version))
			for _, v := range validators {
				if r.column(v.Name) < 0 {
					continue
				}
				t.Run("Kubernetes "+v.Name, func(t *testing.T) {
					write := func(seed uint64) validation.Request {
						return generateWrite(t, version, v.Name, seed, manifests[version]).request(t)
					}
					c := recordedComparison{
						version:  version,
						upstream: r.startChecked(t, v),
						rest:     seeds(firstWrites, recordedWrites),
						write:    write,
					}
					c.seeds = seeds(0, firstWrites, r.Further[v.Name]...)
					if updating {
						c.search = func(rule string) (uint64, bool) { return r.search(t, v.Name, rule, write) }
					}
					c.run(t)
				})
			}
			r.save(t)
		})
	}
}

// TestRecordsOfConversionsAndProjectionsMatchUpstream compares the recorded conversions with those of the chosen
// releases, or records them.
func TestRecordsOfConversionsAndProjectionsMatchUpstream(t *testing.T) {
	for _, o := range objectRecords {
		_, r := o.open(t)
		for _, v := range chosen(t) {
			if r.column(v.Name) >= 0 {
				t.Run(o.name+" of Kubernetes "+v.Name, func(t *testing.T) {
					o.compare(t, r.startChecked(t, v), 0, o.count)
				})
			}
		}
		r.save(t)
	}
}

// search returns the seed of another write that a rule of claimbridge rejects, and adds it to the record.
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

// startChecked starts a validator whose answers are compared with the record, or recorded.
func (r *record) startChecked(t *testing.T, v Validator) *upstream {
	t.Helper()
	if updating {
		r.clear(v.Name)
	}
	u := v.start(t)
	u.source = checkedSource{u.source, recordedAnswers{r, v.Name}}
	return u
}

// TestValidatorsReportTheirRelease checks that the validators of 1.32 and later have the expected results for the
// probes, in all versions that they serve.
func TestValidatorsReportTheirRelease(t *testing.T) {
	for _, v := range chosen(t) {
		if v.Name < "1.32" {
			continue
		}
		t.Run("Kubernetes "+v.Name, func(t *testing.T) {
			validators, stored := map[string]*upstream{}, map[bool]int{}
			for name, p := range probes(t) {
				for _, version := range v.Versions {
					want, applies := p.want(v.Name, version)
					if !applies {
						continue
					}
					if validators[p.Gates] == nil {
						validators[p.Gates] = v.start(t, p.Gates)
					}
					got := validators[p.Gates].summary(t, p.request(t, version))
					if got != want {
						t.Errorf("%s, %s\n got: %s\nwant: %s", name, version, orElse(got, "stored"),
							orElse(want, "stored"))
					}
					stored[got == ""]++
				}
			}
			t.Logf("%d rejected, %d stored", stored[false], stored[true])
			if stored[false] < 40 || stored[true] < 20 {
				t.Error("there are too few probes to identify the release")
			}
		})
	}
}

// summary returns the types and fields of the errors for a write, in order.
func (u *upstream) summary(t *testing.T, r validation.Request) string {
	t.Helper()
	a := u.ask(t, r)
	if a.Undecodable+a.Panic != "" {
		return "undecodable " + a.Undecodable + a.Panic
	}
	return strings.Join(slices.Sorted(maps.Keys(errorSet(a))), ", ")
}
