package cel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// times repeats a text.
func times(text string) func(int) string {
	return func(n int) string { return strings.Repeat(text, n) }
}

// around returns a text with n times another one before it and n times a third one after it.
func around(before, inner, after, end string) func(int) string {
	return func(n int) string { return strings.Repeat(before, n) + inner + strings.Repeat(after, n) + end }
}

// binds returns an expression with n variables, each bound to an expression of the one before.
func binds(value func(before string) string) func(int) string {
	return func(n int) string {
		var b strings.Builder
		before := "1"
		for i := range n {
			name := fmt.Sprintf("x%d", i)
			fmt.Fprintf(&b, "cel.bind(%s,%s,", name, value(before))
			before = name
		}
		return b.String() + "true" + strings.Repeat(")", n)
	}
}

// hostile has expressions by the reason of their cost, as functions of the number of repetitions.
var hostile = map[string]func(n int) string{
	"lists in lists":                     around("[", "", "]", "==[]"),
	"maps in maps":                       around("{1:", "1", "}", "=={}"),
	"maps that are keys":                 around("{", "1", ":1}", "=={}"),
	"parentheses":                        around("(", "true", ")", ""),
	"optional values in optional values": around("optional.of(", "1", ")", ".hasValue()"),
	"comparisons of constants":           around("1==1&&", "true", "", ""),
	"comparisons of a driver":            around(`device.driver=="a"||`, "true", "", ""),
	"comparisons of anything":            around("dyn(1)==dyn(2)&&", "true", "", ""),
	"comparisons of attributes":          around(`device.attributes["a"].b==1||`, "true", "", ""),
	"comparisons of capacities": around(`device.capacity["a"].b.compareTo(quantity("1Gi"))>0||`, "true", "",
		""),
	"comparisons of empty lists": around("[]==[]||", "true", "", ""),
	"comparisons of empty maps":  around("{}=={}||", "true", "", ""),
	"functions of many kinds after many": func(n int) string {
		return times("1==1||")(n) + times("1<1||")(n) + "true"
	},
	"conversions":                around("string(1)==''||", "true", "", ""),
	"indices":                    around("[1][0]==1||", "true", "", ""),
	"indices of indices":         around("", "dyn(device)", "[1]", "==1"),
	"a list of constants":        around("", "1 in[1", ",1", "]"),
	"macros in macros":           around("[1].map(x,", "1", ")", "==[]"),
	"macros on macros":           around("", "[1]", ".map(x,x)", "==[]"),
	"macros in ranges of macros": around("[", "", "].map(x,x)", "==[]"),
	"optMap on optMap":           around("", "optional.of(1)", ".optMap(x,x)", ".hasValue()"),
	"optMap twice on one value, repeated": around("optional.of(1).optMap(x,x).optMap(x,x).hasValue()||", "true", "",
		""),
	"macros that make maps of maps": around("", "[1]", ".map(x,{x:x})", "==[]"),
	"types that double": binds(func(before string) string {
		return "{" + before + ":" + before + "}"
	}),
	"types that grow": binds(func(before string) string { return "{1:[" + before + "]}" }),
	"types that empty lists get later": func(n int) string {
		var b strings.Builder
		for i := range n + 1 {
			fmt.Fprintf(&b, "cel.bind(x%d,[],", i)
		}
		b.WriteString("true")
		for i := range n {
			fmt.Fprintf(&b, "&&x%d==[{x%d:x%[2]d}]", i, i+1)
		}
		return b.String() + strings.Repeat(")", n+1)
	},
	"a deep type again and again": func(n int) string {
		return "cel.bind(x,{1:{1:{1:[[[1]]]}}}," + times("x==x||")(n) + "true)"
	},
	"repetitions":                   inPattern("a{1000}"),
	"ranges of repetitions":         inPattern("a{0,1000}"),
	"repetitions of classes":        inPattern(`\\pL{1000}`),
	"classes":                       inPattern(`\\pL`),
	"classes in one":                around("device.driver.matches('[", "", `\\pL`, "]')"),
	"other cases of many letters":   around("device.driver.matches('(?i)[", "", `\\x{42}-\\x{1e942}`, "]')"),
	"cases in a later group":        around("device.driver.matches('a(?s-m:x)(?is:[", "", `\\x{42}-\\x{1e942}`, "])')"),
	"choices":                       around("device.driver.matches('^(", "", "[ac]x|[bd]y|", "z)$')"),
	"repetitions to find":           around("device.driver.find('", "", "a{1000}", "')==''"),
	"repetitions to find all of":    around("device.driver.findAll('", "", "a{1000}", "')==[]"),
	"repetitions to match a text":   around("matches('a','", "", "a{1000}", "')"),
	"repetitions made text":         around("device.driver.matches(string(b'", "", "a{1000}", "'))"),
	"repetitions of any type":       around("device.driver.matches(dyn('", "", "a{1000}", "'))"),
	"many regular expressions":      around("device.driver.matches('a{1000}')||", "true", "", ""),
	"unknown names":                 around("foo||", "foo", "", ""),
	"no end":                        around("[,", "", "", ""),
	"no end of parentheses":         around("((", "", "", ""),
	"an invalid token":              around("é + ", "", "", ""),
	"operators without an operand":  around("1 == ", "", "", ""),
	"one field of another":          around("", "dyn(device)", ".a", "==1"),
	"functions one after the other": around("", "device.driver", `.replace("a","aa")`, `==""`),
	"nested lists and a panic":      around("[", "", "]", "==[]||[?dyn(1)]==[]"),
}

func inPattern(part string) func(int) string {
	return around("", "device.driver.matches('", part, "')")
}

// allocated returns the number of bytes that the compiler allocates for an expression.
func allocated(q source) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	compile(q)
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// skipUnderRace skips a test that measures allocations, because the race detector allocates as well.
func skipUnderRace(t *testing.T) {
	t.Helper()
	build, _ := debug.ReadBuildInfo()
	if slices.Contains(build.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector allocates as well")
	}
}

// TestExpressionsAllocateAtMostTheirWeight checks expressions that compile and rejected ones, of sizes around the
// limits, in the release that checks twice, and in the newest one, which estimates costs.
func TestExpressionsAllocateAtMostTheirWeight(t *testing.T) {
	skipUnderRace(t)
	for _, release := range []int{oldest, newest} {
		t.Run(fmt.Sprint("1.", release), func(t *testing.T) { weighs(t, release) })
	}
}

func weighs(t *testing.T, release int) {
	compile(source{expression: "true", release: release})
	functionsOf(release)
	for name, of := range hostile {
		t.Run(name, func(t *testing.T) {
			rejected, most := false, int64(0)
			for _, n := range []int{1, 4, 12, 40, 100, 230, 1000, 2500} {
				expression := of(n)
				if len(expression) > MaxLength {
					expression = of(max(1, n*MaxLength/len(expression)))
				}
				q := source{expression: expression, release: release}
				result, weight := compile(q) // and the parser fills its cache of the grammar
				rejected = rejected || result.Type != ""
				got := allocated(q)
				if most = max(most, got); got > weight {
					t.Errorf("%d times: %d bytes were allocated, and it weighs %d: %.200s", n, got, weight,
						result.Detail)
				}
			}
			if most > maxWeight {
				t.Errorf("an expression allocated %d bytes, more than the limit", most)
			}
			t.Logf("%d KiB at most, some rejected: %v", most>>10, rejected)
		})
	}
}

// typical are expressions of the corpus, of Kubernetes' own tests and documentation, and longer ones of their kind.
var typical = map[string]string{
	"a profile": `device.attributes['gpu.nvidia.com'].profile == '1g.5gb'`,
	"a product": "device.attributes['gpu.nvidia.com'].productName.lowerAscii().matches('^.*a100.*$') && \n " +
		"device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('10Gi')) >= 0",
	"a driver": `device.driver == "gpu.example.com"`,
	"a version": `device.attributes["gpu.example.com"].driverVersion.compareTo(semver("1.2.3")) >= 0 && "numa" ` +
		`in device.attributes["gpu.example.com"]`,
	"forty uuids": `device.attributes["gpu.example.com"].uuid in [` +
		strings.TrimSuffix(strings.Repeat(`"GPU-4cf8db2d-06c0-7d70-1a51-e59b25b2c16c",`,
			40),
			",") + `]`,
	"forty names": `device.attributes["gpu.example.com"].model.matches("^(` + strings.Repeat("(?i)nvidia-a100-sxm4|",
		1) + strings.Repeat("tesla-v100|",
		39) + `x)$")`,
	"thirty tests":  strings.Repeat(`device.attributes["gpu.example.com"].numa == 1 || `, 30) + "false",
	"an address":    `device.driver.matches("^([0-9]{1,3}\\.){3}[0-9]{1,3}$")`,
	"bound values":  `cel.bind(dra, device.attributes["dra.example.com"], dra.someBool && dra.anotherBool)`,
	"some of a map": `device.attributes.exists(d, d.startsWith("gpu.")) && [1, 2, 3].all(x, x > 0)`,
}

func TestTypicalExpressionsAreWithinTheLimits(t *testing.T) {
	for name, expression := range typical {
		result, weight := compile(of131(expression))
		if result.Type != "" {
			t.Errorf("%s: %s", name, result.Detail)
		}
		t.Logf("%s: %d KiB", name, weight>>10)
	}
}

func TestProblemsNameTheLimit(t *testing.T) {
	for name, test := range map[string]struct{ expression, want string }{
		"too long": {
			strings.Repeat(" ", MaxLength) + "true",
			"has 10244 bytes; claimbridge compiles at most 10240",
		},
		"as long as possible": {strings.Repeat(" ", MaxLength-4) + "true", ""},
		"too many parts":      {hostile["optMap on optMap"](12), "more than 4096 operators"},
		"too heavy":           {hostile["lists in lists"](120), "MiB of memory, the limit of claimbridge is 64 MiB"},
		"a heavy pattern":     {hostile["repetitions"](3000 / 7), "repeat less in regular expressions"},
	} {
		result, _ := compile(of131(test.expression))
		if !strings.Contains(result.Detail, test.want) || result.ExceedsLimit != (test.want != "") {
			t.Errorf("%s: %+v", name, result)
		}
	}
}

// TestDerivedAttributesAreShortened verifies that errors do not ask to split a derived attribute, which has one
// expression.
func TestDerivedAttributesAreShortened(t *testing.T) {
	for name, expression := range map[string]string{
		"too many parts": hostile["optMap on optMap"](12),
		"too heavy":      hostile["lists in lists"](120),
	} {
		for isAttribute, want := range map[bool]string{
			true: "shorten the expression", false: "split it into several selectors",
		} {
			s := source{expression: expression, release: newest, isAttribute: isAttribute}
			if result, _ := compile(s); !result.ExceedsLimit || !strings.Contains(result.Detail, want) {
				t.Errorf("%s: want %q, got %+v", name, want, result)
			}
		}
	}
}
