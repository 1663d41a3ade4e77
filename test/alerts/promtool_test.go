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

// rule of a PrometheusRule.
type rule struct {
	Alert       string            `json:"alert"`
	Expr        string            `json:"expr"`
	For         string            `json:"for"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

// rules of the manifests, and the file that promtool reads: what the operator would make of them.
func rules(t *testing.T) (all []rule, file string) {
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
		t.Fatalf("%v in\n%s", err, manifests)
	}
	for _, group := range object.Spec.Groups {
		all = append(all, group.Rules...)
	}
	text := must.Get(json.Marshal(object.Spec))(t) // which is YAML
	// promtool rejects an empty duration.
	text = bytes.ReplaceAll(text, []byte(`"for":"",`), nil)
	file = filepath.Join(t.TempDir(), "rules.yaml")
	must.Do(t, os.WriteFile(file, text, 0o600))
	return all, file
}

// promtool runs promtool, and reports whether it succeeds.
func promtool(t *testing.T, args ...string) (output string, ok bool) {
	t.Helper()
	program := programs.Tool(t, programs.Promtool)
	out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
	return string(out), err == nil
}

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

// fire expects these alerts, and no others, at a time of a recording.
func fire(at string, alerts ...string) expression {
	e := expression{Expr: `group by (alertname) (ALERTS{alertstate="firing"})`, At: at, Samples: []sample{}}
	for _, name := range alerts {
		e.Samples = append(e.Samples, sample{`{alertname="` + name + `"}`, 1})
	}
	return e
}

// try a recording against all rules.
func try(t *testing.T, r *recording, expectations ...expression) {
	t.Helper()
	_, file := rules(t)
	test := map[string]any{"rule_files": []string{file}, "evaluation_interval": "1m", "tests": []map[string]any{{
		"interval":         r.step.String(),
		"start_timestamp":  r.began.UTC().Format("2006-01-02T15:04:05Z"),
		"input_series":     r.series(),
		"promql_expr_test": expectations,
	}}}
	text := must.Get(json.Marshal(test))(t)
	where := filepath.Join(t.TempDir(), "test.yaml")
	must.Do(t, os.WriteFile(where, text, 0o600))
	t.Logf("%d scrapes of %d series", r.scrapes, len(r.values))
	if output, ok := promtool(t, "test", "rules", where); !ok || !strings.Contains(output, "SUCCESS") {
		t.Errorf("promtool test rules:\n%s", output)
	}
}
