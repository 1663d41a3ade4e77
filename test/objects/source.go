package objects

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/api"
)

// Versions for which there are generators, oldest first.
var Versions = api.Names()

var releases = api.Releases()

// Kinds for which there are generators.
var Kinds = []string{"ResourceClaim", "ResourceClaimTemplate"}

// Source of random objects.
type Source struct {
	*rand.Rand
	// oldest and newest release, as 31 for 1.31, whose fields objects of v1alpha3 and later have.
	oldest, newest int
}

// New source; a seed stands for one sequence of objects. They have the fields of all releases, and
// ours, with values that are valid in every version that can say them: no more consumers than 1.31
// allowed, and no taints of effect None, which 1.33 did not know.
func New(seed uint64) Source {
	return Source{rand.New(rand.NewPCG(seed, 0)), 31, api.Minor(releases[len(releases)-1].Name)}
}

// Of one release, such as 1.33: objects of v1alpha3 and later have the fields of that release
// alone, and are valid in it with all feature gates on. It shares the sequence of s.
func (s Source) Of(release string) Source {
	minor, err := strconv.Atoi(strings.TrimPrefix(release, "1."))
	if err != nil {
		panic("objects: no release " + release)
	}
	s.oldest, s.newest = minor, minor
	return s
}

// until a release: without the fields of later ones.
func (s Source) until(minor int) Source {
	s.newest = min(s.newest, minor)
	return s
}

// since tells that objects have the fields that came with a release.
func (s Source) since(minor int) bool { return s.newest >= minor }

// withControllers tells that objects have the fields that only 1.31 had.
func (s Source) withControllers() bool { return s.oldest <= 31 }

// some is true once in n times.
func (s Source) some(n int) bool { return s.IntN(n) == 0 }

// pick one of several values.
func pick[T any](s Source, values ...T) T { return values[s.IntN(len(values))] }

// count is mostly small, sometimes the most that is allowed.
func (s Source) count(most int) int {
	if s.some(150) {
		return most
	}
	return s.IntN(min(3, most) + 1)
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyz0123456789"

func (s Source) chars(n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(alphanumeric[s.IntN(len(alphanumeric))])
	}
	return b.String()
}

// label is a DNS label, sometimes of the greatest length.
func (s Source) label() string {
	switch {
	case s.some(30):
		return s.chars(63)
	case s.some(4):
		return "a-" + s.chars(3)
	}
	return pick(s, "gpu", "nic", "mem", "claim", "req-0", "a", "handle-1", "none", "handle-0-0")
}

// subdomain is a DNS subdomain, sometimes of the greatest length.
func (s Source) subdomain() string {
	if s.some(30) {
		return strings.Join([]string{s.chars(63), s.chars(63), s.chars(63), s.chars(61)}, ".")
	}
	return pick(s, "gpu.example.com", "x", "class-"+s.chars(2), "a.b.c")
}

// driver is a driver name, sometimes in upper case or of the greatest length.
func (s Source) driver() string {
	switch {
	case s.some(30):
		return s.chars(63)
	case s.some(30):
		return "GPU.Example.com"
	case s.some(40):
		return "claimbridge.dev"
	}
	return pick(s, "gpu.example.com", "nic.example.com", "cdi")
}

// pool is the name of a pool, some with several segments.
func (s Source) pool() string {
	switch {
	case s.some(5):
		return "rack-1/node-" + s.chars(1)
	case s.some(30):
		return "claimbridge.dev"
	}
	return s.subdomain()
}

// text is anything that a handle may hold, at most of the given bytes.
func (s Source) text(most int) string {
	atoms := []string{
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
	if s.some(200) {
		n = most
	}
	var b strings.Builder
	for b.Len() < n {
		a := pick(s, atoms...)
		if b.Len()+len(a) > most {
			break
		}
		b.WriteString(a)
	}
	for n == most && b.Len() < most {
		b.WriteByte('z')
	}
	return b.String()
}

// parameters is a JSON object as a driver may want it: keys in no order, integers beyond 2^53, any text.
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

// vendorParameters are any JSON; "" is none.
func (s Source) vendorParameters() []byte {
	switch {
	case s.some(2):
		return nil
	case s.some(6):
		return []byte(pick(s, `"text"`, `[1,2,"x"]`, `12345678901234567890`, `true`))
	case s.some(30):
		return []byte(`{"apiVersion":"claimbridge.dev/v1","data":"x","device":"handle-0","kind":"ResourceHandle"}`)
	}
	return s.parameters()
}
