package oracle

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/validation"
)

// What expressions are made of: all that the CEL of any release knows, so that most of it is refused by one or the other.
var (
	values = []string{
		"device", "device.driver", "device.attributes", "device.capacity", `device.attributes["gpu.example.com"]`,
		`device.attributes["gpu.example.com"].numa`, `device.capacity["gpu.example.com"].memory`, "device.allowMultipleAllocations",
		"true", "1", "2u", "1.5", `"a"`, `b"a"`, "null", "[1, 2]", "[]", `["a", "b"]`, `{"a": 1}`, "{}", `semver("1.2.0")`, `quantity("1Gi")`,
		`ip("10.0.0.1")`, `cidr("10.0.0.0/8")`, `url("https://a")`, `duration("1s")`, `timestamp("2024-01-01T00:00:00Z")`,
		"optional.of(1)", "optional.none()", "x", "int", "dyn(1)", "type(1)", "format.dns1123Label()", "self", "authorizer",
		`semver("v1.2.0", true)`, "google.protobuf.BoolValue{value: true}", "kubernetes.DRADevice{}", "b", "string",
	}
	methods = []string{
		"size", "contains", "startsWith", "endsWith", "matches", "compareTo", "isGreaterThan", "isLessThan", "asInteger", "isInteger", "add",
		"sub", "sign", "asApproximateFloat", "major", "minor", "patch", "sort", "sum", "min", "max", "indexOf", "lastIndexOf", "isSorted",
		"first", "last", "distinct", "flatten", "slice", "reverse", "sortBy", "lowerAscii", "upperAscii", "replace", "split", "join",
		"substring", "trim", "charAt", "format", "find", "findAll", "getHost", "getScheme", "family", "isLoopback", "containsIP",
		"containsCIDR", "prefixLength", "masked", "ip", "orValue", "or", "hasValue", "value", "optMap", "optFlatMap", "unwrapOpt",
		"getHours", "getFullYear", "validate", "includes", "exists", "all", "exists_one", "existsOne", "map", "filter", "transformList",
		"transformMap", "transformMapEntry", "group", "serviceAccount",
	}
	functions = []string{
		"size", "has", "int", "uint", "double", "string", "bytes", "bool", "type", "dyn", "duration", "timestamp", "quantity", "isQuantity",
		"semver", "isSemver", "ip", "isIP", "ip.isCanonical", "cidr", "isCIDR", "url", "isURL", "math.greatest", "math.least", "math.abs",
		"math.ceil", "math.bitAnd", "math.sqrt", "sets.contains", "sets.intersects", "sets.equivalent", "strings.quote", "base64.encode",
		"base64.decode", "optional.of", "optional.ofNonZeroValue", "optional.unwrap", "lists.range", "cel.bind", "regex.replace",
		"format.named", "format.dns1123Subdomain", "jsonpatch.escapeKey", "includes",
	}
	operators = []string{"==", "!=", "<", ">=", "+", "-", "*", "/", "%", "in", "&&", "||"}
)

// recordedSelections of twenty selectors each are asked of each release from 1.31 on, in the newest version that it serves.
const recordedSelections = 75

// agreeOnExpressions asks which expressions a selector may have: twenty together, or one by one where a release does not say which it minds.
func agreeOnExpressions(t *testing.T, version string, u *upstream, first uint64, count int) {
	t.Helper()
	if newest := u.Versions[len(u.Versions)-1]; u.Name < "1.31" || version != newest {
		return
	}
	refused, compared, n := 0, 0, tally{fired: map[string]int{}, excused: map[string]int{}}
	for seed := first; seed < first+uint64(count); seed++ {
		made, what := twenty(seed), "CLAIMBRIDGE_SEED="+decimal(seed)
		compared += len(made)
		c := compare(t, u, selectWith(t, version, made...))
		if c.difference == "" && c.excused == "" {
			refused += c.errors
			continue
		}
		for _, e := range made {
			refused += n.add(t, what+", expression "+e, u, selectWith(t, version, e)).errors
		}
		if c.difference != "" && n.differences == 0 {
			t.Fatalf("Kubernetes %s, %s: %q together: %s", u.Name, what, made, c.difference)
		}
	}
	t.Logf("%d expressions, %d refused, intended differences %v", compared, refused, n.excused)
	if refused == 0 || refused == compared {
		t.Error("all or none were refused, which proves nothing")
	}
}

// twenty expressions of a seed.
func twenty(seed uint64) []string {
	r := rand.New(rand.NewPCG(seed, 1))
	made := make([]string, 20)
	for i := range made {
		for made[i] = ""; made[i] == "" || typeAsValue.MatchString(made[i]); {
			if made[i] = expression(r, 1+r.IntN(3)); r.IntN(2) == 0 {
				made[i] = sentence(r)
			}
		}
	}
	return made
}

// selectWith is a claim with some selectors.
func selectWith(t *testing.T, version string, expressions ...string) validation.Request {
	t.Helper()
	selectors := []any{}
	for _, e := range expressions {
		selectors = append(selectors, tree{"cel": tree{"expression": e}})
	}
	request := tree{"name": "gpu", "deviceClassName": "gpu", "selectors": selectors}
	if version == "v1" || version == "v1beta2" {
		request = tree{"name": "gpu", "exactly": tree{"deviceClassName": "gpu", "selectors": selectors}}
	}
	object := must.Get(json.Marshal(tree{
		"apiVersion": "resource.k8s.io/" + version, "kind": "ResourceClaim", "metadata": tree{"name": "gpu", "namespace": "default"},
		"spec": tree{"devices": tree{"requests": []any{request}}},
	}))(t)
	return validation.Request{Operation: validation.Create, Object: object}
}

// expression of a depth, mostly of a form that fits together.
func expression(r *rand.Rand, depth int) string {
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	if depth == 0 {
		return pick(values)
	}
	part := func() string { return expression(r, r.IntN(depth)) }
	switch r.IntN(8) {
	case 0:
		return part()
	case 1, 2:
		return part() + " " + pick(operators) + " " + part()
	case 3, 4:
		return fmt.Sprintf("%s.%s(%s)", part(), pick(methods), arguments(r, part))
	case 5:
		return fmt.Sprintf("%s(%s)", pick(functions), arguments(r, part))
	case 6:
		return pick([]string{"!(", "-(", "("}) + part() + ")"
	}
	return pick([]string{
		part() + "[" + part() + "]", part() + ".a", part() + ".?a", part() + "[?" + part() + "]", part() + " ? " + part() + " : " + part(),
		"has(" + part() + ".a)", "{" + part() + ": " + part() + "}", "{?" + part() + ": " + part() + "}", "[?" + part() + "]",
		part() + ".`a-b`", part() + ".map(x, x)", part() + ".exists(a, b, " + part() + ")", "r" + part(), part() + " // " + part(),
	})
}

// sentences are what fits together: a use of each library, of 1.31 and of later releases.
var sentences = []string{
	`device.driver == "a"`, `device.attributes["a"].b`, `device.attributes["a"].b == 1`, `"b" in device.attributes["a"]`, `"a" in device.attributes`,
	`has(device.attributes["a"].b)`, `has(device.attributes)`, `device.capacity["a"].b.compareTo(quantity("1Gi")) > 0`,
	`device.capacity["a"].b.isGreaterThan(quantity("1"))`, `device.capacity["a"].b == quantity("1")`, `quantity("1").add(2) == quantity("3")`,
	`quantity("1").sub(quantity("1")).sign() == 0`, `quantity("1").asInteger() == 1`, `quantity("1").asApproximateFloat() < 1.5`,
	`isQuantity("1")`, `device.attributes["a"].b.compareTo(semver("1.2.3")) >= 0`, `device.attributes["a"].b.isLessThan(semver("1.2.3"))`,
	`semver("1.2.3").major() == 1`, `semver("v1.2", true).minor() == 2`, `isSemver("1.2.3")`, `isSemver("v1", true)`, `semver("1.0.0") == semver("1.0.0")`,
	`["a", "b"].isSorted()`, `[1, 2].sum() == 3`, `[1, 2].min() == 1`, `[1].max() == 1`, `[1].indexOf(1) == 0`, `[1].lastIndexOf(1) == 0`,
	`[1, 2].sort() == [1, 2]`, `[1, 1].distinct() == [1]`, `[[1]].flatten() == [1]`, `[1, 2].slice(0, 1) == [1]`, `[1].reverse() == [1]`,
	`lists.range(2) == [0, 1]`, `[1].first() == optional.of(1)`, `[1].last().hasValue()`, `[3, 1].sortBy(x, x) == [1, 3]`,
	`"a".lowerAscii() == "a"`, `"a".upperAscii() == "A"`, `"a".replace("a", "b") == "b"`, `"a".replace("a", "b", 1) == "b"`, `"a,b".split(",") == ["a"]`,
	`["a"].join() == "a"`, `["a"].join(",") == "a"`, `"abc".substring(1) == "bc"`, `"abc".substring(1, 2) == "b"`, `" a ".trim() == "a"`, `"a".charAt(0) == "a"`,
	`"abc".indexOf("b") == 1`, `"a".reverse() == "a"`, `"%d".format([1]) == "1"`, `strings.quote("a") == "a"`, `"a1".find("[0-9]") == "1"`, `"a1".findAll("[0-9]") == ["1"]`,
	`"a1".findAll("[0-9]", 1) == ["1"]`, `"a".matches("[")`, `"a".matches("a")`, `matches("a", "a")`, `url("https://a").getHost() == "a"`, `isURL("a")`,
	`ip("1.2.3.4").family() == 4`, `isIP("1")`, `ip.isCanonical("1.2.3.4")`, `cidr("1.0.0.0/8").containsIP("1.2.3.4")`, `cidr("1.0.0.0/8").prefixLength() == 8`,
	`sets.contains([1], [1])`, `sets.equivalent([1], [1])`, `sets.intersects([1], [])`, `math.greatest(1, 2) == 2`, `math.abs(-1) == 1`, `math.sqrt(4) == 2.0`,
	`base64.encode(b"a") == "a"`, `optional.of(1).hasValue()`, `optional.none().orValue(true)`, `optional.ofNonZeroValue(1).value() == 1`,
	`device.attributes[?"a"].hasValue()`, `device.attributes["a"].?b.orValue(true)`, `optional.unwrap([optional.of(1)]) == [1]`, `[optional.of(1)].unwrapOpt() == [1]`,
	`optional.of(1).optMap(x, x + 1).hasValue()`, `optional.of(1).optFlatMap(x, optional.of(x)).hasValue()`, `[?optional.of(1)] == [1]`, `{?"a": optional.of(1)} == {"a": 1}`,
	`cel.bind(x, device.attributes["a"], x.b)`, `[1].all(x, x > 0)`, `[1].exists(x, x > 0)`, `[1].exists_one(x, x > 0)`, `[1].existsOne(x, x > 0)`, `[1].map(x, x > 0, x) == [1]`,
	`[1].filter(x, x > 0) == [1]`, `[1].exists(i, v, v > 0)`, `[1].all(i, v, v > i)`, `device.attributes.exists(d, d == "a")`, `device.attributes.exists(d, a, a.size() > 0)`,
	`{"a": 1}.transformList(k, v, v) == [1]`, `{"a": 1}.transformMap(k, v, v) == {"a": 1}`, `{"a": 1}.transformMapEntry(k, v, {k: v}) == {"a": 1}`,
	`format.dns1123Label().validate("a").hasValue()`, `format.named("uuid").hasValue()`, `timestamp("2024-01-01T00:00:00Z").getFullYear() == 2024`, `duration("1s") > duration("0s")`,
	`type(1) == int`, `dyn(1) == 1.0`, `1 == 1.0`, `1u < 2`, `1 in [1]`, `true ? 1 : 2`, `google.protobuf.BoolValue{value: true}`, `device.a`, `device.attributes.a.b`, `{"a": 1}.a == 1`,
	`[1, "a"] == [1, "a"]`, `{"a": 1, 2: "b"}.size() == 2`, `device.allowMultipleAllocations`, `device.?attributes.hasValue()`, `regex.replace("a", "a", "b") == "b"`,
	"{\"a-b\": 1}.`a-b` == 1", `device.attributes["a"].b.includes(1)`, `string(1) == "1"`, `int("1") == 1`, `bytes("a") == b"a"`, `bool("true")`, `double(1) == 1.0`, `uint(1) == 1u`,
	`duration("x") == duration("1s")`, `timestamp("x") == timestamp("y")`, `jsonpatch.escapeKey("a/b") == "a"`, `1 / 0 == 1`, `9223372036854775808 == 1`, `device == device`, `device`, `null`,
}

// sentence as it is, with a word of another one, or two of them in one.
func sentence(r *rand.Rand) string {
	one, other := sentences[r.IntN(len(sentences))], sentences[r.IntN(len(sentences))]
	switch r.IntN(5) {
	case 0, 1:
		return one
	case 2:
		return "(" + one + ") " + operators[r.IntN(len(operators))] + " (" + other + ")"
	case 3:
		return "[" + one + "].exists(x, " + other + ")"
	}
	words, donors := word.FindAllStringIndex(one, -1), word.FindAllString(other, -1)
	at := words[r.IntN(len(words))]
	return one[:at[0]] + donors[r.IntN(len(donors))] + one[at[1]:]
}

// typeAsValue is an intended difference: the environment of 1.31 knows the names of two types as values of these types,
// so that string(duration) compiles, and later libraries do not. Nothing can be selected with it.
var typeAsValue = regexp.MustCompile(`\b(timestamp|duration)\b($|[^(])`)

var word = regexp.MustCompile(`[a-zA-Z0-9_."]+`)

func arguments(r *rand.Rand, part func() string) string {
	var list []string
	if r.IntN(3) == 0 {
		list = append(list, "x")
	}
	for range r.IntN(3) {
		list = append(list, part())
	}
	return strings.Join(list, ", ")
}
