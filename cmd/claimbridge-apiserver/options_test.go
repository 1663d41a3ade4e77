package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/config"
)

func TestWrongFlagsAreRefusedBeforeAnythingIsDone(t *testing.T) {
	tests := map[string]struct {
		args []string
		want string
	}{
		"the version that the cluster serves":     {[]string{"--versions=v1"}, "--versions=v1: that is the version which the cluster serves itself"},
		"a version that there is not":             {[]string{"--versions=v1beta3"}, "--versions=v1beta3: unknown version, must be of v1beta2, v1beta1, v1alpha3"},
		"a version twice":                         {[]string{"--versions=v1beta1,v1beta1"}, "v1beta1 is there twice"},
		"no version":                              {[]string{"--versions="}, "--versions must not be empty"},
		"a way to act that there is not":          {[]string{"--act-as=admin"}, "--act-as=admin: must be one of caller, caller-legacy, nobody"},
		"a flag that there is not":                {[]string{"--etcd-servers=x"}, "unknown flag: --etcd-servers"},
		"an argument":                             {[]string{"serve"}, `unknown argument "serve"`},
		"a negative time":                         {[]string{"--guard-interval=-1s"}, "--guard-interval=-1s: must not be negative"},
		"a format of logs that there is not":      {[]string{"--logging-format=xml"}, "--logging-format=xml: must be text or json"},
		"no port":                                 {[]string{"--secure-port=0"}, "--secure-port 0 must be between 1 and 65535"},
		"a shared authority without a name":       {[]string{"--certificate-secret=a/b"}, "--certificate-secret needs --tls-dns-names"},
		"names of a certificate that is not ours": {[]string{"--tls-dns-names=a"}, "--tls-dns-names is for --certificate-secret"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			cmd := newCommand()
			var errs bytes.Buffer
			cmd.SetErr(&errs)
			cmd.SetArgs(test.args)
			if code := run(cmd); code != exitUsage {
				t.Errorf("want exit code %d, got %d", exitUsage, code)
			}
			if got := errs.String(); !strings.HasPrefix(got, "error: ") || !strings.Contains(got, test.want) || !strings.HasSuffix(got, "See 'claimbridge-apiserver --help' for usage.\n") {
				t.Errorf("want %q, got %q", test.want, got)
			}
		})
	}
}

// Whoever runs the program without its manifests gets the same versions.
func TestTheDefaultVersionsAreThoseOfTheManifests(t *testing.T) {
	want := "[" + strings.Join(config.AggregatedByDefault, ",") + "]"
	if got := newCommand().Flags().Lookup("versions").DefValue; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}

func TestAClusterThatIsNotThereIsTold(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	err := newOptions().run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "give --kubeconfig") {
		t.Errorf("got %v", err)
	}
}

func TestHelpNamesEveryGroupOfFlags(t *testing.T) {
	cmd := newCommand()
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetArgs([]string{"--help"})
	if code := run(cmd); code != 0 {
		t.Errorf("exit code %d", code)
	}
	for _, group := range []string{"API", "Secure serving", "Shared authority", "Authentication", "Authorization", "Audit", "Limits", "Shutdown", "Logs", "Global"} {
		if !strings.Contains(out.String(), "\n"+group+" flags:\n") {
			t.Errorf("no group %q", group)
		}
	}
}
