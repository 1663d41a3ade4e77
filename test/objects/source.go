package objects

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

// Versions are the versions of generated objects, oldest first.
var Versions = api.Names()

var releases = api.Releases()

// Kinds are the kinds of generated objects.
var Kinds = []string{"ResourceClaim", "ResourceClaimTemplate"}

// Source generates random objects.
type Source struct {
	*rand.Rand
	// Objects of v1alpha3 and later have the fields of the releases from oldest to newest, which are minor versions: 31 is
	// Kubernetes 1.31.
	oldest, newest int
}

// New returns a source. A seed always generates the same objects. They have the fields of all releases and the fields
// that claimbridge adds, with values that are valid in every version that has the field: no more consumers than 1.31
// allows, and no tolerations of the effect None, which 1.33 does not have.
func New(seed uint64) Source {
	return Source{rand.New(rand.NewPCG(seed, 0)), 31, api.Minor(releases[len(releases)-1].Name)}
}

// ForRelease returns a source whose objects of v1alpha3 and later have only the fields of a release, such as 1.33. They
// are valid in that release with all feature gates enabled. The source shares the random numbers of s.
func (s Source) ForRelease(release string) Source {
	minor, err := strconv.Atoi(strings.TrimPrefix(release, "1."))
	if err != nil {
		panic("objects: invalid release " + release)
	}
	s.oldest, s.newest = minor, minor
	return s
}

// until returns a source of objects without the fields of releases after 1.minor.
func (s Source) until(minor int) Source {
	s.newest = min(s.newest, minor)
	return s
}

// since reports whether objects have the fields that release 1.minor added.
func (s Source) since(minor int) bool { return s.newest >= minor }

// hasControllers reports whether objects have the fields for controllers, which only 1.31 has.
func (s Source) hasControllers() bool { return s.oldest <= 31 }

// oneIn returns true with a probability of 1/n.
func (s Source) oneIn(n int) bool { return s.IntN(n) == 0 }

// pick returns one of the values.
func pick[T any](s Source, values ...T) T { return values[s.IntN(len(values))] }

// count returns a number that is usually at most 3, and sometimes the limit.
func (s Source) count(limit int) int {
	if s.oneIn(150) {
		return limit
	}
	return s.IntN(min(3, limit) + 1)
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyz0123456789"

func (s Source) chars(n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(alphanumeric[s.IntN(len(alphanumeric))])
	}
	return b.String()
}

// label returns a DNS label, sometimes of the maximum length.
func (s Source) label() string {
	switch {
	case s.oneIn(30):
		return s.chars(63)
	case s.oneIn(4):
		return "a-" + s.chars(3)
	}
	return pick(s, "gpu", "nic", "mem", "claim", "req-0", "a", "handle-1", "none", "handle-0-0")
}

// subdomain returns a DNS subdomain, sometimes of the maximum length.
func (s Source) subdomain() string {
	if s.oneIn(30) {
		return strings.Join([]string{s.chars(63), s.chars(63), s.chars(63), s.chars(61)}, ".")
	}
	return pick(s, "gpu.example.com", "x", "class-"+s.chars(2), "a.b.c")
}

// driver returns a driver name, sometimes with capital letters or of the maximum length.
func (s Source) driver() string {
	switch {
	case s.oneIn(30):
		return s.chars(63)
	case s.oneIn(30):
		return "GPU.Example.com"
	case s.oneIn(40):
		return "claimbridge.dev"
	}
	return pick(s, "gpu.example.com", "nic.example.com", "cdi")
}

// pool returns the name of a pool, sometimes with several segments.
func (s Source) pool() string {
	switch {
	case s.oneIn(5):
		return "rack-1/node-" + s.chars(1)
	case s.oneIn(30):
		return "claimbridge.dev"
	}
	return s.subdomain()
}

// text returns any text that a resource handle may have, of at most limit bytes.
func (s Source) text(limit int) string {
	fragments := []string{
		"a",
		`"`,
		`\`,
		"\n",
		"\x00",
		"\x1f",
		"é",
		"\u2028",
		"\u2029",
		"😀",
		"<",
		"&",
		"{",
		"\ufffd",
		"{\"gpus\":[1]}",
		" ",
		"\t",
	}
	n := pick(s, 1, 5, 40)
	if s.oneIn(200) {
		n = limit
	}
	var b strings.Builder
	for b.Len() < n {
		fragment := pick(s, fragments...)
		if b.Len()+len(fragment) > limit {
			break
		}
		b.WriteString(fragment)
	}
	for n == limit && b.Len() < limit {
		b.WriteByte('z')
	}
	return b.String()
}

// parameters returns a JSON object for a driver: with unsorted keys, integers beyond 2^53, or any text.
func (s Source) parameters() []byte {
	return []byte(pick(s,
		`{}`,
		`{"z":1,"a":2,"m":{"b":[],"a":null}}`,
		`{"big":9007199254740993,"huge":123456789012345678901234567890,"f":1.50,"e":1e3}`,
		`{"apiVersion":"gpu.example.com/v1","kind":"GpuConfig","sharing":{"strategy":"MPS"}}`,
		`{"text":"\u2028<&> \"quoted\" \\ 😀"}`,
		fmt.Sprintf(`{"n":%d}`, s.Int64N(1<<50)),
		`{"pad":"`+strings.Repeat("x", s.IntN(200))+`"}`,
	))
}

// vendorParameters returns any JSON value, or nil.
func (s Source) vendorParameters() []byte {
	switch {
	case s.oneIn(2):
		return nil
	case s.oneIn(6):
		return []byte(pick(s, `"text"`, `[1,2,"x"]`, `12345678901234567890`, `true`))
	case s.oneIn(30):
		return []byte(`{"apiVersion":"claimbridge.dev/v1","data":"x","device":"handle-0","kind":"ResourceHandle"}`)
	}
	return s.parameters()
}
