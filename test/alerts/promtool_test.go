//go:build e2e

package alerts

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// rule is an alerting rule of a PrometheusRule.
type rule struct {
	Alert       string            `json:"alert"`
	Expr        string            `json:"expr"`
	For         string            `json:"for"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

// alertRules returns the rules of the manifests, and the path of a file with them in the format of Prometheus, as the
// Prometheus operator would write it.
func alertRules(t *testing.T) (rules []rule, file string) {
	t.Helper()
	manifests := must.Get(config.Manifests(config.Options{Only: config.AlertsPart}))(t)
	var object struct {
		Kind string `json:"kind"`
		Spec struct {
			Groups []struct {
				Name  string `json:"name"`
				Rules []rule `json:"rules"`
			} `json:"groups"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(manifests, &object); err != nil || object.Kind != "PrometheusRule" {
		t.Fatalf("got kind %q, want PrometheusRule: %v\n%s", object.Kind, err, manifests)
	}
	for _, group := range object.Spec.Groups {
		rules = append(rules, group.Rules...)
	}
	text := must.Get(json.Marshal(object.Spec))(t) // JSON is YAML
	// promtool rejects an empty duration.
	text = bytes.ReplaceAll(text, []byte(`"for":"",`), nil)
	file = filepath.Join(t.TempDir(), "rules.yaml")
	must.Do(t, os.WriteFile(file, text, 0o600))
	return rules, file
}

// promtool runs promtool, and reports whether it succeeds.
func promtool(t *testing.T, args ...string) (output string, ok bool) {
	t.Helper()
	program := programs.Tool(t, programs.Promtool)
	out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
	return string(out), err == nil
}

// series, expression and sample are parts of a unit test file for promtool.
type series struct {
	Series string `json:"series"`
	Values string `json:"values"`
}

type expression struct {
	Expr    string   `json:"expr"`
	At      string   `json:"eval_time"`
	Samples []sample `json:"exp_samples"`
}

type sample struct {
	Labels string  `json:"labels"`
	Value  float64 `json:"value"`
}

// firing expects that exactly these alerts fire at a time of a recording.
func firing(at string, alerts ...string) expression {
	e := expression{Expr: `group by (alertname) (ALERTS{alertstate="firing"})`, At: at, Samples: []sample{}}
	for _, name := range alerts {
		e.Samples = append(e.Samples, sample{`{alertname="` + name + `"}`, 1})
	}
	return e
}

// checkRules evaluates all rules on a recording with promtool, and checks the expected results.
func checkRules(t *testing.T, r *recording, expected ...expression) {
	t.Helper()
	_, file := alertRules(t)
	test := map[string]any{"rule_files": []string{file}, "evaluation_interval": "1m", "tests": []map[string]any{{
		"interval":         r.step.String(),
		"start_timestamp":  r.start.UTC().Format("2006-01-02T15:04:05Z"),
		"input_series":     r.series(),
		"promql_expr_test": expected,
	}}}
	text := must.Get(json.Marshal(test))(t)
	testFile := filepath.Join(t.TempDir(), "test.yaml")
	must.Do(t, os.WriteFile(testFile, text, 0o600))
	t.Logf("%d scrapes of %d series", r.scrapes, len(r.values))
	if output, ok := promtool(t, "test", "rules", testFile); !ok || !strings.Contains(output, "SUCCESS") {
		t.Errorf("promtool test rules:\n%s", output)
	}
}
