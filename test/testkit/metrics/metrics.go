// Package metrics reads metrics in tests.
package metrics

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Families are metric families by name.
type Families map[string]*dto.MetricFamily

// Gather collects the metrics of a collector.
func Gather(t testing.TB, c prometheus.Collector) Families {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c)
	all := must.Get(registry.Gather())(t)
	families := Families{}
	for _, family := range all {
		families[family.GetName()] = family
	}
	return families
}

// Scrape reads the metrics of a server.
func Scrape(client *http.Client, request *http.Request) (Families, error) {
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		text, err := io.ReadAll(response.Body)
		return nil, fmt.Errorf("%s: %s %s %w", request.URL, response.Status, text, err)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	return parser.TextToMetricFamilies(response.Body)
}

// Sum returns the sum of the values of a metric over all labels. The value of a histogram or a summary is its count.
func (f Families) Sum(name string) (sum float64) {
	for _, m := range f[name].GetMetric() {
		sum += value(m)
	}
	return sum
}

// Values returns the value of each time series by name and labels: name{label=value,...}.
func (f Families) Values() map[string]float64 {
	values := map[string]float64{}
	for name, family := range f {
		for _, m := range family.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetName()+"="+l.GetValue())
			}
			values[name+"{"+strings.Join(labels, ",")+"}"] = value(m)
		}
	}
	return values
}

func value(m *dto.Metric) float64 {
	switch {
	case m.GetHistogram() != nil:
		return float64(m.GetHistogram().GetSampleCount())
	case m.GetSummary() != nil:
		return float64(m.GetSummary().GetSampleCount())
	}
	return m.GetCounter().GetValue() + m.GetGauge().GetValue() + m.GetUntyped().GetValue()
}
