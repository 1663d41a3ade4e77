//go:build e2e

package clients

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/programs"
)

// TestClientsBuild builds what is not in the cache yet; make runs it first, as that takes minutes.
func TestClientsBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the clients compile eight releases of client-go, which takes minutes the first time")
	}
	set, err := Set(".")
	if err != nil {
		t.Fatal(err)
	}
	folder, err := set.Folder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range set.Programs {
		program := filepath.Join(folder, programs.File(p.Name))
		out, err := exec.CommandContext(t.Context(), program).CombinedOutput()
		if err == nil || string(out) != "usage: PROGRAM KUBECONFIG [CONTENT-TYPE]\n" {
			t.Errorf("the client of %s: %v: %s", p.Name, err, out)
		}
		speaks(t, program, Speaks[p.Name])
	}
}

// speaks the versions, and no other: nobody is there to answer, but the question is understood.
func speaks(t *testing.T, program string, want []string) {
	t.Helper()
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	nobody := `{"apiVersion":"v1","kind":"Config","clusters":[{"name":"a","cluster":{"server":"http://127.0.0.1:1"}}],` +
		`"contexts":[{"name":"a","context":{"cluster":"a"}}],"current-context":"a"}`
	if err := os.WriteFile(kubeconfig, []byte(nobody), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, version := range []string{"v1alpha1", "v1alpha2", "v1alpha3", "v1beta1", "v1beta2", "v1"} {
		asked := exec.CommandContext(t.Context(), program, kubeconfig)
		asked.Stdin = strings.NewReader(fmt.Sprintf(`{"version":%q,"kind":"ResourceClaim","do":"get","namespace":"a","name":"a"}`, version) + "\n")
		if out, err := asked.Output(); err == nil && strings.Contains(string(out), "refused") {
			got = append(got, version)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s speaks (-want +got):\n%s", program, diff)
	}
}

func TestTheTablesAgree(t *testing.T) {
	for version, release := range Releases {
		if !slices.Contains(Speaks[release], version) {
			t.Errorf("the client of %s does not speak %s", release, version)
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(Speaks)), all); diff != "" {
		t.Errorf("releases (-that speak +that are built):\n%s", diff)
	}
}
