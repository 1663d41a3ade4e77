package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	genericoptions "k8s.io/apiserver/pkg/server/options"
	cliflag "k8s.io/component-base/cli/flag"
	logsapi "k8s.io/component-base/logs/api/v1"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/caller"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/served"
)

type options struct {
	kubeconfig    string
	versions      []string
	actAs         string
	guardInterval time.Duration

	certificates sharedCertificates

	secure *genericoptions.SecureServingOptionsWithLoopback
	authn  *genericoptions.DelegatingAuthenticationOptions
	authz  *genericoptions.DelegatingAuthorizationOptions
	audit  *genericoptions.AuditOptions
	// Those of a generic server that have flags here.
	maxReads, maxWrites                     int
	shutdownDelay, shutdownWatchGracePeriod time.Duration
	logs                                    *logsapi.LoggingConfiguration
}

func newOptions() *options {
	secure := genericoptions.NewSecureServingOptions()
	secure.BindPort = 8443 // no rights are needed for it
	secure.Required = true
	// The names of a mounted Secret of type kubernetes.io/tls. Without a folder and files a certificate is made, for this process alone.
	secure.ServerCert.PairName, secure.ServerCert.CertDirectory = "tls", ""
	// A kube-apiserver has one connection for all that it hands on, watches included, and makes another when its streams are used up. Of requests that
	// are given up at once the library of HTTP/2 keeps four times as many, each with its header, on each of the connections that strangers have.
	secure.HTTP2MaxStreamsPerConnection = 100
	authn := genericoptions.NewDelegatingAuthenticationOptions()
	authn.WithCustomRoundTripper(dialsSo)
	return &options{
		secure: secure.WithLoopback(),
		authn:  authn,
		authz:  genericoptions.NewDelegatingAuthorizationOptions(),
		audit:  genericoptions.NewAuditOptions(),
		logs:   logsapi.NewLoggingConfiguration(),
	}
}

func (o *options) addFlags(sets *cliflag.NamedFlagSets) {
	fs := sets.FlagSet("API")
	fs.StringSliceVar(&o.versions, "versions", []string{"v1beta1", "v1beta2"}, "versions of resource.k8s.io to serve, of "+strings.Join(served.Versions(), ", "))
	fs.StringVar(&o.actAs, "act-as", string(caller.Constrained), "in whose name the cluster is asked. "+
		"caller: that of whoever calls, by constrained impersonation, which needs Kubernetes 1.36 or its feature gate ConstrainedImpersonation; the server's account may act for others only with these resources. "+
		"caller-legacy: the same by impersonation as it was before; the right to it is worth cluster-admin, and so is the server's token. "+
		"nobody: callers may read what a SubjectAccessReview says they may, with the server's own rights, and write nothing.")
	fs.StringVar(&o.kubeconfig, "kubeconfig", "", "file that names the cluster, and the default of --authentication-kubeconfig and --authorization-kubeconfig. Default: the cluster that the process runs in")
	fs.DurationVar(&o.guardInterval, "guard-interval", 5*time.Minute, "how often to look whether the cluster serves a version itself by now; 0 for at start alone")

	o.secure.AddFlags(sets.FlagSet("secure serving"))
	o.certificates.addFlags(sets.FlagSet("shared authority"))
	o.authn.AddFlags(sets.FlagSet("authentication"))
	o.authz.AddFlags(sets.FlagSet("authorization"))
	o.audit.AddFlags(sets.FlagSet("audit"))

	fs = sets.FlagSet("limits")
	fs.IntVar(&o.maxReads, "max-requests-inflight", 400, "reads that are answered at once, lists included and watches not; more are told to come again (429), and so are those that GOMEMLIMIT has no room for. 0 sets no other bound.")
	fs.IntVar(&o.maxWrites, "max-mutating-requests-inflight", 200, "the same for writes")

	fs = sets.FlagSet("shutdown")
	fs.DurationVar(&o.shutdownDelay, "shutdown-delay-duration", 0, "how long to go on serving after a signal while /readyz fails; connections end in its second half: in a cluster 10s or so, twice what all API servers need to hear of it")
	fs.DurationVar(&o.shutdownWatchGracePeriod, "shutdown-watch-termination-grace-period", 0, "how long watches may take to end after that, so that not all come back at once; 0 ends them together")

	fs = sets.FlagSet("logs")
	logsapi.AddFlags(o.logs, fs)
	for _, alpha := range []string{"log-text-split-stream", "log-text-info-buffer-size", "log-json-split-stream", "log-json-info-buffer-size"} {
		_ = fs.MarkHidden(alpha) // they need a feature gate that claimbridge does not have
	}
}

// check the flags.
func (o *options) check() []error {
	var problems []error
	problem := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if len(o.versions) == 0 {
		problem("--versions must not be empty")
	}
	for i, version := range o.versions {
		switch {
		case version == served.Stored:
			problem("--versions=%s: that is the version which the cluster serves itself, and from which all others are made", version)
		case len(served.Kinds(version)) == 0:
			problem("--versions=%s: unknown version, must be of %s", version, strings.Join(served.Versions(), ", "))
		case slices.Contains(o.versions[:i], version):
			problem("--versions: %s is there twice", version)
		}
	}
	if !slices.Contains(caller.Modes(), o.actAs) {
		problem("--act-as=%s: must be one of %s", o.actAs, strings.Join(caller.Modes(), ", "))
	}
	if err := o.certificates.check(o.secure); err != nil {
		problems = append(problems, err)
	}
	if o.guardInterval < 0 {
		problem("--guard-interval=%s: must not be negative", o.guardInterval)
	}
	if o.maxReads < 0 || o.maxWrites < 0 {
		problem("--max-requests-inflight and --max-mutating-requests-inflight must not be negative")
	}
	if o.shutdownDelay < 0 || o.shutdownWatchGracePeriod < 0 {
		problem("--shutdown-delay-duration and --shutdown-watch-termination-grace-period must not be negative")
	}
	if o.logs.Format != "text" && o.logs.Format != "json" {
		problem("--logging-format=%s: must be text or json", o.logs.Format)
	}
	problems = append(problems, o.secure.Validate()...)
	problems = append(problems, o.authn.Validate()...)
	problems = append(problems, o.authz.Validate()...)
	return append(problems, o.audit.Validate()...)
}
