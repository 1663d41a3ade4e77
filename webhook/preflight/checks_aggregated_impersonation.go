package preflight

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/config"
)

var impersonationIsConstrained = Check{
	Name:     "impersonation-is-constrained",
	Reason:   "With --act-as=caller the server acts as its callers by constrained impersonation, which Kubernetes has from 1.36 on unless it is turned off: an API server without it refuses every request. With --act-as=caller-legacy a stolen token of the server is worth the cluster.",
	Severity: Problem,
	Remedy:   "Turn the feature ConstrainedImpersonation on (Kubernetes 1.35 or newer), or choose another --act-as; where it is on use --act-as=caller.",
	find: func(v *view) {
		body, err := v.cluster.get(v.ctx, "/version", nil)
		if err != nil {
			return // the proof tells
		}
		server, err := decode[struct{ Major, Minor string }](body)
		if err != nil {
			return
		}
		var minor int
		if _, err := fmt.Sscanf(server.Minor, "%d", &minor); err != nil {
			return // a release that does not say: the proof tells
		}
		on, known := v.feature("ConstrainedImpersonation")
		object := deployments.object(v.options.Namespace, aggregatedName)
		switch acts := config.ActAs(v.actsAs()); {
		case acts == config.Caller && minor < 35:
			v.report(object, fmt.Sprintf("acts as its callers by constrained impersonation, which Kubernetes 1.%d does not have", minor),
				say("apply the server with --act-as=nobody, which only reads, or with --act-as=caller-legacy, which is worth the cluster"))
		case acts == config.Caller && known && !on:
			v.report(object, fmt.Sprintf("acts as its callers by constrained impersonation, which is off in this API server of Kubernetes 1.%d", minor),
				say("start every API server with --feature-gates=ConstrainedImpersonation=true, or choose another --act-as"))
		case acts == config.Caller && !known && minor < 36:
			v.warn(object, fmt.Sprintf("acts as its callers by constrained impersonation, which is off by default in Kubernetes 1.%d", minor),
				say("start every API server with --feature-gates=ConstrainedImpersonation=true, or choose another --act-as"))
		case acts == config.CallerLegacy && (known && on || !known && minor >= 36):
			v.warn(object, "may act as anybody for anything: its token is worth the cluster",
				say("apply the server with --act-as=caller: Kubernetes 1.%d has constrained impersonation, unless it is turned off", minor))
		}
	},
}

// feature of the API server that answers, by its metrics. Not everybody may read these: then it is not known.
func (v *view) feature(name string) (on, known bool) {
	metrics, err := v.cluster.patient.Get().AbsPath("/metrics").SetHeader("Accept", "text/plain").MaxRetries(2).Stream(v.ctx)
	if err != nil {
		return false, false
	}
	defer func() { _ = metrics.Close() }()
	// Line by line: those of a large cluster are tens of megabytes. No line comes near the 64 KiB that a scanner takes.
	for lines := bufio.NewScanner(metrics); lines.Scan(); {
		if line := lines.Text(); strings.HasPrefix(line, "kubernetes_feature_enabled{") && strings.Contains(line, `name="`+name+`"`) {
			return strings.HasSuffix(line, " 1"), true
		}
	}
	return false, false
}
