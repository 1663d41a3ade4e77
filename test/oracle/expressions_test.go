package oracle

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/validation"
)

// What expressions are made of, a line each, or words.
var values, methods, functions, operators, sentences = func() (_, _, _, _, _ []string) {
	parts := map[string]string{}
	archive, err := txtar.ParseFile("testdata/expressions.txtar")
	if err != nil {
		panic(err)
	}
	for _, part := range archive.Files {
		parts[part.Name] = strings.TrimSpace(string(part.Data))
	}
	return strings.Split(parts["values"], "\n"), strings.Fields(parts["methods"]), strings.Fields(parts["functions"]),
		strings.Fields(parts["operators"]), strings.Split(parts["sentences"], "\n")
}()

// recordedSelections of twenty selectors each are asked of each release from 1.31 on, in the newest
// version that it serves.
const recordedSelections = 75

// agreeOnExpressions asks which expressions a selector may have: twenty together, or one by one
// where a release does not say which it minds.
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
		t.Error("all or none were rejected, which proves nothing")
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
		"apiVersion": "resource.k8s.io/" + version,
		"kind":       "ResourceClaim",
		"metadata":   tree{"name": "gpu", "namespace": "default"},
		"spec":       tree{"devices": tree{"requests": []any{request}}},
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
		part() + "[" + part() + "]",
		part() + ".a",
		part() + ".?a",
		part() + "[?" + part() + "]",
		part() + " ? " + part() + " : " + part(),
		"has(" + part() + ".a)",
		"{" + part() + ": " + part() + "}",
		"{?" + part() + ": " + part() + "}",
		"[?" + part() + "]",
		part() + ".`a-b`",
		part() + ".map(x, x)",
		part() + ".exists(a, b, " + part() + ")",
		"r" + part(),
		part() + " // " + part(),
	})
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
