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

// Parts of expressions, from testdata/expressions.txtar.
var values, methods, functions, operators, wholeExpressions = func() (_, _, _, _, _ []string) {
	parts := map[string]string{}
	archive, err := txtar.ParseFile("testdata/expressions.txtar")
	if err != nil {
		panic(err)
	}
	for _, part := range archive.Files {
		parts[part.Name] = strings.TrimSpace(string(part.Data))
	}
	return strings.Split(parts["values"], "\n"), strings.Fields(parts["methods"]), strings.Fields(parts["functions"]),
		strings.Fields(parts["operators"]), strings.Split(parts["expressions"], "\n")
}()

// recordedBatches is the number of claims with [batchSize] selectors each that are recorded for 1.31 and each later
// release, in the newest version that it serves.
const recordedBatches, batchSize = 75, 20

// compareExpressions compares which expressions a selector can have. It compares the expressions of a batch one by one
// if the results for the batch differ.
func compareExpressions(t *testing.T, version string, u *upstream, first uint64, count int) {
	t.Helper()
	if newest := u.Versions[len(u.Versions)-1]; u.Name < "1.31" || version != newest {
		return
	}
	rejected, compared, n := 0, 0, tally{rejections: map[string]int{}, excused: map[string]int{}}
	for seed := first; seed < first+uint64(count); seed++ {
		batch, name := expressionBatch(seed), "CLAIMBRIDGE_SEED="+decimal(seed)
		compared += len(batch)
		c := compare(t, u, claimWithSelectors(t, version, batch...))
		if c.difference == "" && c.excused == "" {
			rejected += c.errorCount
			continue
		}
		for _, e := range batch {
			rejected += n.add(t, name+", expression "+e, u, claimWithSelectors(t, version, e)).errorCount
		}
		if c.difference != "" && n.differences == 0 {
			t.Fatalf("Kubernetes %s, %s: %q differ only as a batch: %s", u.Name, name, batch, c.difference)
		}
	}
	t.Logf("%d expressions, %d rejected, intended differences %v", compared, rejected, n.excused)
	if rejected == 0 || rejected == compared {
		t.Error("all or none were rejected, so the comparison proves nothing")
	}
}

// expressionBatch returns the expressions of a seed.
func expressionBatch(seed uint64) []string {
	r := rand.New(rand.NewPCG(seed, 1))
	batch := make([]string, 0, batchSize)
	for len(batch) < batchSize {
		e := expression(r, 1+r.IntN(3))
		if r.IntN(2) == 0 {
			e = variant(r)
		}
		if e != "" && !typeAsValue.MatchString(e) {
			batch = append(batch, e)
		}
	}
	return batch
}

// claimWithSelectors returns the create of a claim with selectors.
func claimWithSelectors(t *testing.T, version string, expressions ...string) validation.Request {
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

// expression returns a random expression of a depth, in most cases one that is syntactically valid.
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

// variant returns one of wholeExpressions, one with a word of another one, or a combination of two.
func variant(r *rand.Rand) string {
	first, second := wholeExpressions[r.IntN(len(wholeExpressions))], wholeExpressions[r.IntN(len(wholeExpressions))]
	switch r.IntN(5) {
	case 0, 1:
		return first
	case 2:
		return "(" + first + ") " + operators[r.IntN(len(operators))] + " (" + second + ")"
	case 3:
		return "[" + first + "].exists(x, " + second + ")"
	}
	words, replacements := word.FindAllStringIndex(first, -1), word.FindAllString(second, -1)
	at := words[r.IntN(len(words))]
	return first[:at[0]] + replacements[r.IntN(len(replacements))] + first[at[1]:]
}

// typeAsValue matches an intended difference: in the environment of 1.31, the names of two types are also values of
// these types, so string(duration) compiles. Later libraries do not have these values. They cannot select a device.
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
