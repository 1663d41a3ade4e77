package splice_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/splice"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// corpus gives the manifests that people published, document by document.
func corpus(t testing.TB) (documents []*manifest.Document) {
	t.Helper()
	files, err := filepath.Glob("../../../../conversion/testdata/corpus/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		r := manifest.NewReader(bytes.NewReader(text), filepath.Base(file))
		for {
			d, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			documents = append(documents, d)
		}
	}
	return documents
}

// converted is what `convert` wants of a document, or nil when it cannot be converted.
func converted(t testing.TB, text []byte, to string) []byte {
	t.Helper()
	d := must.Get(manifest.ParseText(text, manifest.Position{}))(t)
	object := must.Get(d.Object(false))(t)
	out, report, err := conversion.Append(nil, object, to, conversion.Options{AnnotationsOnly: true, OmitDefaults: true, Carried: true})
	if err != nil || report.Incomplete != "" {
		return nil
	}
	return out
}

func TestTheCorpusIsEditedInPlaceBetweenAllVersions(t *testing.T) {
	edits, refused, there := 0, 0, 0
	for _, d := range corpus(t) {
		for _, to := range api.Versions() {
			wanted := converted(t, d.Text(), to.Name)
			if wanted == nil {
				continue
			}
			edits++
			result, err := splice.Document(d, wanted, nil)
			if err != nil {
				t.Logf("%s to %s: %v", d.Position, to.Name, err)
				refused++
				continue
			}
			_, version, _ := bytes.Cut([]byte(d.APIVersion), []byte("/"))
			if string(version) == to.Name && !bytes.Equal(result.Text, d.Text()) {
				t.Errorf("%s has the version already, and becomes\n%s", d.Position, result.Text)
			}
			wanted = converted(t, result.Text, string(version))
			if wanted == nil {
				continue
			}
			edits++
			back, err := splice.Edit(result.Text, wanted, nil)
			if err != nil {
				t.Logf("%s to %s and back: %v\n%s", d.Position, to.Name, err, result.Text)
				refused++
				continue
			}
			if bytes.Equal(back.Text, d.Text()) {
				there++
			}
		}
	}
	t.Logf("%d edits, %d refused; %d came back the same", edits, refused, there)
	if refused > 0 {
		t.Errorf("%d of %d edits were refused", refused, edits)
	}
}

// Versions that say the same in the same form: between these there is only the version to change.
func TestWhatHasTheSameFormComesBackByteForByte(t *testing.T) {
	tried := 0
	for _, d := range corpus(t) {
		_, from, _ := strings.Cut(d.APIVersion, "/")
		for _, pair := range [][2]string{{"v1alpha1", "v1alpha2"}, {"v1alpha2", "v1alpha1"}, {"v1beta2", "v1"}, {"v1", "v1beta2"}} {
			if from != pair[0] {
				continue
			}
			wanted := strictly(t, d, pair[1])
			if wanted == nil {
				continue // faulty as it was published
			}
			there, err := splice.Document(d, wanted, func() *splice.Spelling { return spelling(t, d, wanted) })
			if err != nil {
				t.Errorf("%s to %s: %v", d.Position, pair[1], err)
				continue
			}
			tried++
			if diff := cmp.Diff(strings.Replace(string(d.Text()), d.APIVersion, "resource.k8s.io/"+pair[1], 1), string(there.Text)); diff != "" {
				t.Errorf("%s to %s (-want +got)\n%s", d.Position, pair[1], diff)
			}
		}
	}
	if tried < 80 {
		t.Errorf("only %d were tried", tried)
	}
}
