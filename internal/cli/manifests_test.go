package cli

import (
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// TestArgumentsOfTheDeployment checks that the program accepts the arguments in the Deployment.
func TestArgumentsOfTheDeployment(t *testing.T) {
	for _, mode := range []config.Certificates{config.CertManager, config.Self, config.Files} {
		t.Run(string(mode), func(t *testing.T) {
			text := must.Get(config.Manifests(config.Options{
				Group: "claims.example.com", Certificates: mode, Only: config.ServerPart,
			}))(t)
			_, document, _ := strings.Cut(string(text), "\nkind: Deployment\n")
			document, _, _ = strings.Cut(document, "\n---\n")
			var deployment appsv1.Deployment
			must.Do(t, yaml.Unmarshal([]byte(document), &deployment))
			args := deployment.Spec.Template.Spec.Containers[0].Args
			root := newRootCommand()
			command, flags, err := root.Find(args)
			if err != nil || command.Name() != "serve" {
				t.Fatalf("%q: %v", args, err)
			}
			if err := command.ParseFlags(flags); err != nil {
				t.Fatalf("%q: %v", args, err)
			}
			if group := command.Flag("group").Value.String(); group != "[claims.example.com]" {
				t.Errorf("the server serves %s", group)
			}
		})
	}
}

// TestGroupChecksExist checks that preflight has each check in groupChecks.
func TestGroupChecksExist(t *testing.T) {
	for _, name := range groupChecks {
		if !slices.Contains(preflight.Names(), name) {
			t.Errorf("there is no check %s", name)
		}
	}
}
