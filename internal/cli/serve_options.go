package cli

import (
	"cmp"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/resource"
	cliflag "k8s.io/component-base/cli/flag"
	logsapi "k8s.io/component-base/logs/api/v1"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/certs"
	"github.com/claimbridge/claimbridge/internal/build"
	"github.com/claimbridge/claimbridge/webhook"
)

// tlsVersions are the values of --tls-min-version.
var tlsVersions = []string{"VersionTLS12", "VersionTLS13"}

type serveOptions struct {
	webhook.Options
	securePort              uint16
	files                   certs.Files
	certDir, caFile         string
	certificateSecret       string // NAMESPACE/NAME
	secret                  certs.InSecret
	maxRequest, maxInFlight resource.QuantityValue
	logs                    *logsapi.LoggingConfiguration
}

func newServeOptions() *serveOptions {
	return &serveOptions{
		maxRequest: resource.QuantityValue{Quantity: resource.MustParse("16Mi")},
		logs:       logsapi.NewLoggingConfiguration(),
	}
}

func (o *serveOptions) addFlags(sets *cliflag.NamedFlagSets) {
	fs := sets.FlagSet("API")
	fs.StringSliceVar(&o.Groups, "group", []string{api.Group},
		"API group of the claims, or '*' for any; repeatable")
	fs.StringVar(&o.KubernetesRelease, "kubernetes-release", "",
		"Kubernetes release whose rules apply to the versions that it serves, such as 1.34. Other versions use "+
			"their defaults, which 'claimbridge validate --help' lists")
	fs.BoolVar(&o.KeepMetadata, "keep-metadata", false,
		"return all metadata to API servers. By default, responses contain only the metadata that API servers read: "+
			"name, namespace, uid, labels and annotations. Other clients always get all metadata.")

	fs = sets.FlagSet("secure serving")
	fs.StringVar(&o.BindAddress, "bind-address", "0.0.0.0",
		"IP address to listen on; 0.0.0.0 or :: for all addresses")
	fs.Uint16Var(&o.securePort, "secure-port", 9443,
		"HTTPS port to listen on; 0 for any free port, which is logged")
	fs.StringVar(&o.files.CertFile, "tls-cert-file", "",
		"file with the certificate and its chain (PEM), for --tls-private-key-file")
	fs.StringVar(&o.files.KeyFile, "tls-private-key-file", "", "file with the private key (PEM), for --tls-cert-file")
	fs.StringVar(&o.certDir, "cert-dir", "",
		"directory with tls.crt and tls.key, such as a mounted Secret; instead of --tls-cert-file and "+
			"--tls-private-key-file")
	fs.StringVar(&o.caFile, "ca-file", "",
		"file to which the CA certificate is written (PEM), for curl --cacert or a caBundle; only without "+
			"certificate files")
	fs.StringSliceVar(&o.secret.DNSNames, "tls-dns-names", nil,
		"DNS names of the generated certificate, in addition to localhost: NAME.NAMESPACE.svc for a Service; "+
			"only without certificate files")
	fs.StringVar(&o.ClientCAFile, "client-ca-file", "",
		"file with the CAs (PEM) of clients that can send admission reviews: API servers with a client "+
			"certificate in their admission configuration. Conversion and health require no certificate, because "+
			"API servers and kubelets can't present one.")
	fs.StringSliceVar(&o.ClientAllowedNames, "client-allowed-names", nil,
		"common names of allowed client certificates (default all that --client-ca-file issued)")
	fs.StringVar(&o.TLSMinVersion, "tls-min-version", tlsVersions[0],
		"minimum TLS version: "+strings.Join(tlsVersions, ", "))
	fs.StringSliceVar(&o.CipherSuites, "tls-cipher-suites", nil,
		"IANA names of cipher suites for TLS 1.2, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 (default those of "+
			"Go). Those of TLS 1.3 are fixed")
	fs.BoolVar(&o.DisableHTTP2, "disable-http2-serving", false, "serve HTTP/1.1 only")

	fs = sets.FlagSet("shared CA")
	fs.StringVar(&o.certificateSecret, "certificate-secret", "",
		"NAMESPACE/NAME of a Secret, initially empty, in which all replicas share a CA that issues certificates for "+
			"--tls-dns-names. The server writes the CA to the caBundles of the CRDs of --group and of "+
			"--webhook-configuration. Instead of certificate files.")
	fs.StringVar(&o.secret.WebhookConfiguration, "webhook-configuration", "claimbridge",
		"name of the ValidatingWebhookConfiguration and the MutatingWebhookConfiguration, for --certificate-secret")
	fs.DurationVar(&o.secret.CAValidity, "ca-validity", certs.DefaultCAValidity,
		"validity of the shared CA, which is replaced after two thirds of it; at least three times "+
			"--certificate-validity")
	fs.DurationVar(&o.secret.Validity, "certificate-validity", certs.DefaultValidity,
		"validity of the certificates that the shared CA issues, which are replaced after two thirds of it")

	fs = sets.FlagSet("metrics")
	fs.StringVar(&o.MetricsBindAddress, "metrics-bind-address", "127.0.0.1:8080",
		"host:port for /metrics, or 0 for none. On a loopback address, it is plain HTTP. On any other address, it is "+
			"HTTPS, and the cluster authenticates and authorizes clients.")
	fs.StringVar(&o.Kubeconfig, "kubeconfig", "",
		"kubeconfig file of the cluster, for metrics and --certificate-secret (default KUBECONFIG, the cluster "+
			"that the process runs in, or ~/.kube/config)")

	fs = sets.FlagSet("health probes")
	fs.StringVar(&o.HealthProbeBindAddress, "health-probe-bind-address", ":8081",
		"host:port for /livez, /readyz and /healthz, for probes of a kubelet, or 0 for none. It is plain HTTP, and "+
			"independent of the number of connections on the secure port, which serves the same paths.")

	fs = sets.FlagSet("limits")
	fs.Var(&o.maxRequest, "max-request-bytes", "maximum size of a request body")
	fs.Var(&o.maxInFlight, "max-inflight-bytes",
		"memory for all requests in flight: half for bodies and responses, half for processing complete bodies, "+
			"each counted as 256Ki plus 400 times its size. A request waits for memory for a second, then "+
			"gets 429. 0 means a quarter of GOMEMLIMIT, at least 32Mi, or 512Mi if it is not set.")

	fs = sets.FlagSet("shutdown")
	fs.DurationVar(&o.ShutdownDelay, "shutdown-delay", 0,
		"how long to continue serving after a signal, while /readyz fails; in a cluster, slightly more than the "+
			"period of the readiness probe")
	fs.DurationVar(&o.ShutdownIdleTimeout, "shutdown-idle-timeout", 0,
		"how long to wait after that for clients to close idle connections; in a cluster, more than the 90 s after "+
			"which API servers close them. A call that is sent while the server closes its connection is lost.")
	fs.DurationVar(&o.ShutdownTimeout, "shutdown-timeout", 30*time.Second,
		"how long to wait after that for requests in flight")

	fs = sets.FlagSet("logs")
	logsapi.AddFlags(o.logs, fs)
	for _, name := range []string{
		"log-text-split-stream", "log-text-info-buffer-size",
		"log-json-split-stream", "log-json-info-buffer-size",
	} {
		_ = fs.MarkHidden(name) // they require a feature gate that claimbridge does not have
	}
}

// check returns a usage error for invalid flags. The server also validates its options, but its errors do not name
// flags.
func (o *serveOptions) check() error {
	hasFiles := o.certDir != "" || o.files.CertFile != ""
	_, addressErr := netip.ParseAddr(o.BindAddress)
	_, suitesErr := cliflag.TLSCipherSuites(o.CipherSuites)
	secretNamespace, secretName, _ := strings.Cut(o.certificateSecret, "/")
	return cmp.Or(
		usageErrorIf(len(o.Groups) == 0 || slices.Contains(o.Groups, ""), "--group must not be empty"),
		usageErrorIf((o.files.CertFile == "") != (o.files.KeyFile == ""),
			"--tls-cert-file and --tls-private-key-file must be set together"),
		usageErrorIf(o.certDir != "" && o.files.CertFile != "",
			"--cert-dir and --tls-cert-file are mutually exclusive"),
		usageErrorIf(o.caFile != "" && hasFiles,
			"--ca-file can't be combined with certificate files (--cert-dir or --tls-cert-file): it is for the "+
				"generated CA"),
		usageErrorIf(len(o.secret.DNSNames) > 0 && hasFiles,
			"--tls-dns-names can't be combined with certificate files (--cert-dir or --tls-cert-file): it is for the "+
				"generated certificate"),
		usageErrorIf(o.certificateSecret != "" &&
			(secretNamespace == "" || secretName == "" || strings.Contains(secretName, "/")),
			"--certificate-secret=%s: must be NAMESPACE/NAME", o.certificateSecret),
		usageErrorIf(o.certificateSecret != "" && hasFiles,
			"--certificate-secret can't be combined with certificate files (--cert-dir or --tls-cert-file)"),
		usageErrorIf(o.certificateSecret != "" && o.caFile != "",
			"--ca-file and --certificate-secret are mutually exclusive: the Secret contains the CA, as ca.crt"),
		usageErrorIf(o.certificateSecret != "" && slices.Contains(o.Groups, "*"),
			"--certificate-secret requires the name of each --group, to find its CRDs"),
		usageErrorIf(o.certificateSecret != "" && len(o.secret.DNSNames) == 0,
			"--certificate-secret requires --tls-dns-names: the name that API servers use, such as "+
				"claimbridge.claimbridge-system.svc"),
		usageErrorIf(o.secret.Validity < time.Second,
			"--certificate-validity=%s: must be at least 1s", o.secret.Validity),
		usageErrorIf(o.secret.CAValidity < 3*o.secret.Validity,
			"--ca-validity=%s: must be at least three times --certificate-validity, %s",
			o.secret.CAValidity, 3*o.secret.Validity),
		usageErrorIf(len(o.ClientAllowedNames) > 0 && o.ClientCAFile == "",
			"--client-allowed-names requires --client-ca-file"),
		usageErrorIf(!slices.Contains(tlsVersions, o.TLSMinVersion),
			"--tls-min-version=%s: must be one of %s", o.TLSMinVersion, strings.Join(tlsVersions, ", ")),
		usageErrorIf(o.logs.Format != "text" && o.logs.Format != "json",
			"--logging-format=%s: must be text or json", o.logs.Format),
		usageErrorIf(o.maxRequest.Sign() <= 0, "--max-request-bytes=%s: must be greater than 0", o.maxRequest.String()),
		usageErrorIf(o.maxInFlight.Sign() < 0, "--max-inflight-bytes=%s: must not be negative", o.maxInFlight.String()),
		usageErrorIf(o.ShutdownDelay < 0, "--shutdown-delay=%s: must not be negative", o.ShutdownDelay),
		usageErrorIf(o.ShutdownIdleTimeout < 0,
			"--shutdown-idle-timeout=%s: must not be negative", o.ShutdownIdleTimeout),
		usageErrorIf(o.ShutdownTimeout <= 0, "--shutdown-timeout=%s: must be greater than 0", o.ShutdownTimeout),
		normalizeRelease(&o.KubernetesRelease),
		usageErrorIf(addressErr != nil, "--bind-address=%s: must be an IP address", o.BindAddress),
		usageErrorIf(suitesErr != nil, "--tls-cipher-suites: %w", suitesErr),
		checkBindAddress("--metrics-bind-address", o.MetricsBindAddress),
		checkBindAddress("--health-probe-bind-address", o.HealthProbeBindAddress),
	)
}

// checkBindAddress returns an error unless address is host:port, or 0 for none.
func checkBindAddress(flag, address string) error {
	_, port, err := net.SplitHostPort(address)
	_, portErr := net.LookupPort("tcp", port)
	isInvalid := err != nil || port == "" || portErr != nil
	return usageErrorIf(isInvalid && address != "0",
		"%s=%s: must be host:port, :port or 0, with a port of at most 65535", flag, address)
}

// webhook returns the options of the server, without its certificates.
func (o *serveOptions) webhook() webhook.Options {
	options := o.Options
	options.SecurePort = int(o.securePort)
	if o.securePort == 0 {
		options.SecurePort = -1 // the server's zero value is its default
	}
	options.MaxRequestBytes = o.maxRequest.Value()
	options.MaxInFlightBytes = o.maxInFlight.Value()
	options.Version = build.Version()
	return options
}

// certificateOpener opens the source of the serving certificate.
type certificateOpener interface {
	Open(log logr.Logger) (*certs.Source, error)
}

// certificates returns the source of the serving certificate that the flags select.
func (o *serveOptions) certificates() certificateOpener {
	switch {
	case o.certDir != "":
		return certs.FilesInDir(o.certDir)
	case o.files.CertFile != "":
		return o.files
	case o.certificateSecret != "":
		secret := o.secret
		secret.Namespace, secret.Name, _ = strings.Cut(o.certificateSecret, "/")
		secret.Kubeconfig = o.Kubeconfig
		for _, group := range o.Groups {
			secret.CRDs = append(secret.CRDs, api.ResourceClaims+"."+group, api.ResourceTemplates+"."+group)
		}
		return secret
	default:
		return certs.InMemory{DNSNames: o.secret.DNSNames, CAFile: o.caFile}
	}
}
