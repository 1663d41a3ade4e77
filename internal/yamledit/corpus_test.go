package yamledit_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/yamledit"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// corpus returns published manifests, document by document.
func corpus(t testing.TB) (documents []*yamldoc.Document) {
	t.Helper()
	files, err := filepath.Glob("../../internal/conversion/testdata/corpus/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	for _, file := range files {
		r := yamldoc.NewReader(bytes.NewReader(must.Get(os.ReadFile(file))(t)), filepath.Base(file))
		d, err := r.Next()
		for ; err == nil; d, err = r.Next() {
			documents = append(documents, d)
		}
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
	}
	return documents
}

// convertTo returns the object into which `convert` converts a document, or nil if it cannot be converted.
func convertTo(t testing.TB, text []byte, to string) []byte {
	t.Helper()
	d := must.Get(yamldoc.ParseText(text, yamldoc.Position{}))(t)
	object := must.Get(d.Object(false))(t)
	out, report, err := conversion.AppendConverted(nil, object, to, conversion.Options{
		Manifest: true, OmitDefaults: true, ListPreserved: true,
	})
	if err != nil || report.Incomplete != "" {
		return nil
	}
	return out
}

// editTo returns a document edited to another version, or "" if the published document is invalid or the edit is
// rejected.
func editTo(t *testing.T, d *yamldoc.Document, to string) string {
	t.Helper()
	_, version, _ := strings.Cut(d.APIVersion, "/")
	strictly := func(object []byte, to string) []byte {
		out, _, err := conversion.AppendConverted(nil, object, to, conversion.Options{
			Strict: true, Manifest: true, OmitDefaults: true,
		})
		if err != nil {
			return nil
		}
		return out
	}
	desired := strictly(must.Get(d.Object(true))(t), to)
	if desired == nil {
		return ""
	}
	result, err := yamledit.EditDocument(d, desired)
	if err != nil {
		t.Errorf("%s, %s to %s: %v", d.Position, version, to, err)
	}
	return string(result.Text)
}

func TestTheCorpusIsEditedInPlaceBetweenAllVersions(t *testing.T) {
	edits, there := 0, 0
	for _, d := range corpus(t) {
		for _, to := range api.Versions() {
			desired := convertTo(t, d.Text, to.Name)
			if desired == nil {
				continue
			}
			edits++
			result, err := yamledit.EditDocument(d, desired)
			if err != nil {
				t.Errorf("%s to %s: %v", d.Position, to.Name, err)
				continue
			}
			_, version, _ := strings.Cut(d.APIVersion, "/")
			if version == to.Name && !bytes.Equal(result.Text, d.Text) {
				t.Errorf("%s has the version already, and becomes\n%s", d.Position, result.Text)
			}
			if desired = convertTo(t, result.Text, version); desired == nil {
				continue
			}
			edits++
			back, err := yamledit.Edit(result.Text, desired)
			switch {
			case err != nil:
				t.Errorf("%s to %s and back: %v\n%s", d.Position, to.Name, err, result.Text)
			case bytes.Equal(back.Text, d.Text):
				there++
			}
		}
	}
	t.Logf("%d edits; %d came back the same", edits, there)
}

var emptyListLine = regexp.MustCompile(`(?m)^ +\w+: \[\]\n`)

// Between versions with the same form only the version changes.
func TestVersionsOfTheSameFormRoundTripByteForByte(t *testing.T) {
	tried := 0
	for _, d := range corpus(t) {
		_, from, _ := strings.Cut(d.APIVersion, "/")
		for _, pair := range [][2]string{
			{"v1alpha1", "v1alpha2"}, {"v1alpha2", "v1alpha1"}, {"v1beta2", "v1"}, {"v1", "v1beta2"},
		} {
			if from != pair[0] {
				continue
			}
			if there := editTo(t, d, pair[1]); there != "" {
				tried++
				want := strings.Replace(string(d.Text), d.APIVersion, "resource.k8s.io/"+pair[1], 1)
				want = emptyListLine.ReplaceAllString(want, "") // convert adds empty lists to the desired object
				if diff := cmp.Diff(want, there); diff != "" {
					t.Errorf("%s to %s (-want +got)\n%s", d.Position, pair[1], diff)
				}
			}
		}
	}
	if tried < 80 {
		t.Errorf("only %d were tried", tried)
	}
}
