package main

import (
	"cmp"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	cliflag "k8s.io/component-base/cli/flag"
	logsapi "k8s.io/component-base/logs/api/v1"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/build"
	"github.com/claimbridge/claimbridge/webhook"
	"github.com/claimbridge/claimbridge/webhook/authority"
	"github.com/claimbridge/claimbridge/webhook/certificates"
)

// tlsVersions that may be the lowest.
var tlsVersions = []string{"VersionTLS12", "VersionTLS13"}

type serveOptions struct {
	webhook.Options
	securePort              uint16
	files                   certificates.Files
	certDir, caFile         string
	certificateSecret       string // NAMESPACE/NAME of secret
	secret                  certificates.InSecret
	maxRequest, maxInFlight resource.QuantityValue
	logs                    *logsapi.LoggingConfiguration
}

func newServeOptions() *serveOptions {
	return &serveOptions{
		maxRequest: resource.QuantityValue{Quantity: resource.MustParse("64Mi")},
		logs:       logsapi.NewLoggingConfiguration(),
	}
}

func (o *serveOptions) addFlags(sets *cliflag.NamedFlagSets) {
	fs := sets.FlagSet("API")
	fs.StringSliceVar(&o.Groups, "group", []string{api.Group},
		"API group whose claims are served; repeatable. '*' serves any.")
	fs.StringVar(&o.KubernetesRelease, "kubernetes-release", "",
		"release of Kubernetes whose API server judges writes in the versions that it served, like 1.34. Default, "+
			"and for all other versions: that of each version, see 'claimbridge rules'.")
	fs.BoolVar(&o.KeepMetadata, "keep-metadata", false,
		"answer API servers with the whole metadata. By default they get what they read: name, namespace, uid, "+
			"labels and annotations. Other callers always get everything.")

	fs = sets.FlagSet("secure serving")
	fs.StringVar(&o.BindAddress, "bind-address", "0.0.0.0",
		"IP address to listen on; 0.0.0.0 and :: stand for all addresses")
	fs.Uint16Var(&o.securePort, "secure-port", 9443,
		"port to listen on with HTTPS; 0 takes any free one, the log tells which")
	fs.StringVar(&o.files.CertFile, "tls-cert-file", "",
		"file with the certificate and its chain (PEM), with --tls-private-key-file")
	fs.StringVar(&o.files.KeyFile, "tls-private-key-file", "", "file with the private key (PEM), with --tls-cert-file")
	fs.StringVar(&o.certDir, "cert-dir", "",
		"folder with tls.crt and tls.key, as a mounted Secret has them; instead of --tls-cert-file and "+
			"--tls-private-key-file")
	fs.StringVar(&o.caFile, "ca-file", "",
		"file to write the CA certificate (PEM) to, for curl --cacert or a caBundle; only without certificate files")
	fs.StringSliceVar(&o.secret.DNSNames, "tls-dns-names", nil,
		"names of the certificate that is made here, beside localhost: for a service NAME.NAMESPACE.svc; only "+
			"without certificate files")
	fs.StringVar(&o.ClientCAFile, "client-ca-file", "",
		"file with the CAs (PEM) of clients that may send admission reviews: of API servers whose admission "+
			"configuration names a client certificate. Conversion and health need none, as nobody can give them one.")
	fs.StringSliceVar(&o.ClientNames, "client-allowed-names", nil,
		"common names of client certificates that may call; default: all that --client-ca-file signed")
	fs.StringVar(&o.TLSMinVersion, "tls-min-version", tlsVersions[0],
		"lowest TLS version: "+strings.Join(tlsVersions, ", "))
	fs.StringSliceVar(&o.CipherSuites, "tls-cipher-suites", nil,
		"cipher suites for TLS 1.2 by their IANA names, like TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256; those of TLS 1.3 "+
			"cannot be chosen. Default: those of Go")
	fs.BoolVar(&o.DisableHTTP2, "disable-http2-serving", false, "offer HTTP/1.1 only")

	fs = sets.FlagSet("shared authority")
	fs.StringVar(&o.certificateSecret, "certificate-secret", "",
		"NAMESPACE/NAME of a Secret, shipped empty, in which all replicas share a CA for the certificates of "+
			"--tls-dns-names; the caBundles of the CRDs of --group and of --webhook-configuration are kept for it. "+
			"Instead of certificate files.")
	fs.StringVar(&o.secret.WebhookConfiguration, "webhook-configuration", "claimbridge",
		"name of the ValidatingWebhookConfiguration and the MutatingWebhookConfiguration, with --certificate-secret")
	fs.DurationVar(&o.secret.CAValidity, "ca-validity", authority.DefaultCAValidity,
		"how long the shared CA is valid; it is replaced after two thirds of that. At least three times "+
			"--certificate-validity.")
	fs.DurationVar(&o.secret.Validity, "certificate-validity", authority.DefaultValidity,
		"how long the certificates that it signs are valid; they are replaced after two thirds of that")

	fs = sets.FlagSet("metrics")
	fs.StringVar(&o.MetricsBindAddress, "metrics-bind-address", "127.0.0.1:8080",
		"host:port to serve /metrics on, 0 for none. On loopback it is plain HTTP; on any other address it is HTTPS, "+
			"and readers are authenticated and authorized by the cluster.")
	fs.StringVar(&o.Kubeconfig, "kubeconfig", "",
		"file that names the cluster for that and for --certificate-secret. Default: KUBECONFIG, the cluster that "+
			"the process runs in, or ~/.kube/config")

	fs = sets.FlagSet("health probes")
	fs.StringVar(&o.HealthProbeBindAddress, "health-probe-bind-address", ":8081",
		"host:port to serve /livez, /readyz and /healthz on for the probes of a kubelet, 0 for none. "+
			"It is plain HTTP, and answers however many connections the secure port has, which serves the same paths.")

	fs = sets.FlagSet("limits")
	fs.Var(&o.maxRequest, "max-request-bytes", "biggest body of a request; 64Mi holds 20,000 claims of 3 KiB")
	fs.Var(&o.maxInFlight, "max-inflight-bytes",
		"memory for all requests that are being served, each counted with 16 times the bytes of its biggest object "+
			"and 1 KiB for each comma in it; others wait a second, then get 429. 0 means a quarter of GOMEMLIMIT, or "+
			"512Mi when that is not set.")

	fs = sets.FlagSet("shutdown")
	fs.DurationVar(&o.ShutdownDelay, "shutdown-delay", 0,
		"how long to go on serving after a signal while /readyz fails; in a cluster a little more than the period of "+
			"the readiness probe")
	fs.DurationVar(&o.ShutdownIdleTimeout, "shutdown-idle-timeout", 0,
		"how long connections without a request may last after that, for their callers to close them; the wait is "+
			"over when none is left. In a cluster more than the 90 s after which API servers close idle connections: "+
			"a call that is sent while the server closes one is lost.")
	fs.DurationVar(&o.ShutdownTimeout, "shutdown-timeout", 30*time.Second,
		"how long to wait for requests in flight after that")

	fs = sets.FlagSet("logs")
	logsapi.AddFlags(o.logs, fs)
	for _, alpha := range []string{
		"log-text-split-stream", "log-text-info-buffer-size",
		"log-json-split-stream", "log-json-info-buffer-size",
	} {
		_ = fs.MarkHidden(alpha) // they need a feature gate that claimbridge does not have
	}
}

// check the flags. The server checks its options as well, but knows no flags.
func (o *serveOptions) check() error {
	files := o.certDir != "" || o.files.CertFile != ""
	_, addressErr := netip.ParseAddr(o.BindAddress)
	_, suitesErr := cliflag.TLSCipherSuites(o.CipherSuites)
	secretNamespace, secretName, _ := strings.Cut(o.certificateSecret, "/")
	return cmp.Or(
		when(len(o.Groups) == 0 || slices.Contains(o.Groups, ""), "--group must not be empty"),
		when((o.files.CertFile == "") != (o.files.KeyFile == ""),
			"--tls-cert-file and --tls-private-key-file go together: give both or neither"),
		when(o.certDir != "" && o.files.CertFile != "",
			"--cert-dir and --tls-cert-file exclude each other: give one of them"),
		when(o.caFile != "" && files,
			"--ca-file is for the CA that is made when there are no certificate files: leave it out, or --cert-dir "+
				"and --tls-cert-file"),
		when(len(o.secret.DNSNames) > 0 && files,
			"--tls-dns-names are for the certificate that is made when there are no certificate files: leave them "+
				"out, or --cert-dir and --tls-cert-file"),
		when(o.certificateSecret != "" &&
			(secretNamespace == "" || secretName == "" || strings.Contains(secretName, "/")),
			"--certificate-secret=%s: must be NAMESPACE/NAME", o.certificateSecret),
		when(o.certificateSecret != "" && files,
			"--certificate-secret is for a CA that is made here: leave it out, or --cert-dir and --tls-cert-file"),
		when(o.certificateSecret != "" && o.caFile != "",
			"--ca-file and --certificate-secret exclude each other: the CA is in the Secret, as ca.crt"),
		when(o.certificateSecret != "" && slices.Contains(o.Groups, "*"),
			"--certificate-secret needs each --group by name, to find its CRDs"),
		when(o.certificateSecret != "" && len(o.secret.DNSNames) == 0,
			"--certificate-secret needs --tls-dns-names: the name by which API servers call, like "+
				"claimbridge.claimbridge-system.svc"),
		when(o.secret.Validity < time.Second, "--certificate-validity=%s: must be at least 1s", o.secret.Validity),
		when(o.secret.CAValidity < 3*o.secret.Validity,
			"--ca-validity=%s: must be at least three times --certificate-validity, %s",
			o.secret.CAValidity, 3*o.secret.Validity),
		when(len(o.ClientNames) > 0 && o.ClientCAFile == "", "--client-allowed-names needs --client-ca-file"),
		when(!slices.Contains(tlsVersions, o.TLSMinVersion),
			"--tls-min-version=%s: must be one of %s", o.TLSMinVersion, strings.Join(tlsVersions, ", ")),
		when(o.logs.Format != "text" && o.logs.Format != "json",
			"--logging-format=%s: must be text or json", o.logs.Format),
		when(o.maxRequest.Sign() <= 0, "--max-request-bytes=%s: must be greater than 0", o.maxRequest.String()),
		when(o.maxInFlight.Sign() < 0, "--max-inflight-bytes=%s: must not be negative", o.maxInFlight.String()),
		when(o.ShutdownDelay < 0, "--shutdown-delay=%s: must not be negative", o.ShutdownDelay),
		when(o.ShutdownIdleTimeout < 0, "--shutdown-idle-timeout=%s: must not be negative", o.ShutdownIdleTimeout),
		when(o.ShutdownTimeout <= 0, "--shutdown-timeout=%s: must be greater than 0", o.ShutdownTimeout),
		completeRelease(&o.KubernetesRelease),
		when(addressErr != nil, "--bind-address=%s: must be an IP address", o.BindAddress),
		when(suitesErr != nil, "--tls-cipher-suites: %w", suitesErr),
		checkBindAddress("--metrics-bind-address", o.MetricsBindAddress),
		checkBindAddress("--health-probe-bind-address", o.HealthProbeBindAddress),
	)
}

// checkBindAddress returns an error unless address is host:port, or 0 for none.
func checkBindAddress(flag, address string) error {
	_, port, err := net.SplitHostPort(address)
	_, portErr := net.LookupPort("tcp", port)
	invalid := err != nil || port == "" || portErr != nil
	return when(invalid && address != "0",
		"%s=%s: must be host:port, :port or 0, with a port of at most 65535", flag, address)
}

// webhook gives the options of the server.
func (o *serveOptions) webhook() webhook.Options {
	options := o.Options
	if options.SecurePort = int(o.securePort); o.securePort == 0 {
		options.SecurePort = -1 // the server's zero value is its default
	}
	options.MaxBodyBytes, options.MaxInFlightBytes = o.maxRequest.Value(), o.maxInFlight.Value()
	options.Version = build.Version()
	switch {
	case o.certDir != "":
		options.Certificates = certificates.Folder(o.certDir)
	case o.files.CertFile != "":
		options.Certificates = o.files
	case o.certificateSecret != "":
		secret := o.secret
		secret.Namespace, secret.Name, _ = strings.Cut(o.certificateSecret, "/")
		secret.Groups, secret.Kubeconfig = o.Groups, o.Kubeconfig
		options.Certificates = secret
	default:
		options.Certificates = certificates.InMemory{DNSNames: o.secret.DNSNames, CAFile: o.caFile}
	}
	return options
}
