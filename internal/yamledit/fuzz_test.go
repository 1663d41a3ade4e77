package yamledit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/yamledit"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// FuzzEdit rewrites real manifests, or any text, in other styles, edits them, and compares the result with what kubectl
// reads. Comments and anchors are numbered, so that a lost one is detected.
func FuzzEdit(f *testing.F) {
	for i, d := range corpus(f) {
		f.Add(string(d.Text), uint64(i))
	}
	for _, e := range edits {
		f.Add(e.before, uint64(0))
		f.Add(e.after, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) { _ = tryEdit(t, text, seed) })
}

// The test edits each manifest in some styles; nearly all can be edited.
func TestManifestsInOtherStyles(t *testing.T) {
	edited, rejected, anchors := 0, 0, 0
	for i, d := range corpus(t) {
		for style := range stylesPerManifest {
			var why *yamledit.NotInPlaceError
			switch err := tryEdit(t, string(d.Text), uint64(i*stylesPerManifest+style)); {
			case style%4 == 0: // the desired object is a random change
				if err != nil {
					t.Log(err)
				}
			case err == nil:
				edited++
			case errors.As(err, &why) && strings.Contains(why.Reason, "anchor &"):
				anchors++
			case errors.As(err, &why):
				rejected++
				t.Log(err)
			}
		}
	}
	t.Logf("%d edited, %d rejected, and %d for a removed anchor", edited, rejected, anchors)
	if rejected*100 > edited || edited < 1000 || anchors == 0 {
		t.Errorf("%d were edited, and %d rejected, and %d for a removed anchor", edited, rejected, anchors)
	}
}

// stylesPerManifest is the number of styles that are tried for each manifest.
const stylesPerManifest = 20

var errNothingToDo = errors.New("is no object")

// tryEdit rewrites a text in another style, edits it and checks the result. The desired object is another version, or
// for every fourth seed a random change. The error says why the text was not edited.
func tryEdit(t *testing.T, text string, seed uint64) error {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	text, marks := rewritten(text, random)
	d, err := yamldoc.ParseText([]byte(text), yamldoc.Position{})
	if err != nil || d.Node == nil {
		return errNothingToDo
	}
	object, err := d.Object(true)
	if err != nil {
		return errNothingToDo
	}
	versions := api.Versions()
	desired, _, err := conversion.AppendConverted(nil, object, versions[random.IntN(len(versions))].Name,
		conversion.Options{Manifest: true, OmitDefaults: true, ListPreserved: true})
	if err != nil || seed%4 == 0 {
		desired = changed(object, random)
	}
	result, err := yamledit.Edit([]byte(text), desired)
	if err != nil {
		return err
	}
	if strings.ContainsRune(text, '!') {
		return nil // the parser ignores the tag "!", which makes a string of the value
	}
	before, unread := yaml.YAMLToJSONStrict([]byte(text))
	if unread != nil || cmp.Diff(value(t, before), value(t, object)) != "" {
		return errNothingToDo // kubectl cannot read the text, or reads another value
	}
	theirs, err := yaml.YAMLToJSONStrict(result.Text)
	if err != nil {
		t.Fatalf("%q becomes %q, which kubectl cannot read: %v", text, result.Text, err)
	}
	if diff := cmp.Diff(value(t, desired), value(t, theirs)); diff != "" {
		t.Fatalf("%q becomes\n%s\nwhich is not equivalent to %s (-want +got)\n%s", text, result.Text, desired, diff)
	}
	for _, mark := range marks {
		if strings.Count(text, mark) == 1 && !bytes.Contains(result.Text, []byte(mark)) &&
			!bytes.Contains(object, []byte(mark)) {
			t.Fatalf("%q becomes\n%s\nwithout the comment or anchor %q", text, result.Text, mark)
		}
	}
	return nil
}

// rewritten returns a text with other comments, blank lines, indentation, quotes and line ends. marks are its comments
// and anchors.
func rewritten(text string, random *rand.Rand) (_ string, marks []string) {
	mark := func() string {
		marks = append(marks, fmt.Sprintf("c%dc", len(marks)))
		return "# " + marks[len(marks)-1]
	}
	wide, deep, anchored := random.IntN(4) == 0, random.IntN(4) == 0, random.IntN(8) == 0
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		content := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(content)]
		if wide {
			indent += indent
			if strings.HasPrefix(content, "- ") {
				content = "-   " + content[2:]
			}
		}
		if deep && !strings.HasPrefix(content, "-") && random.IntN(8) == 0 {
			content = strings.Replace(content, ": ", ":   ", 1)
		}
		if anchored && random.IntN(4) == 0 {
			key, value, found := strings.Cut(content+" ", ": ")
			if found && key != "-" && !strings.ContainsAny(value, "&*|>") {
				marks = append(marks, fmt.Sprintf("&a%da", len(marks)))
				content = strings.TrimRight(key+": "+marks[len(marks)-1]+" "+value, " ")
			}
		}
		switch random.IntN(16) {
		case 0:
			b.WriteString(indent + mark() + "\n")
		case 1:
			b.WriteString("\n")
		case 2:
			b.WriteString(strings.Repeat(" ", random.IntN(12)) + mark() + "\n")
		case 3, 4:
			content += []string{" ", "\t"}[random.IntN(2)] + mark()
		case 5, 6:
			key, value, found := strings.Cut(content, ": ")
			if found && value != "" && !strings.ContainsAny(value, `'"[]{}|>&*#\`) {
				below := "\n" + indent + "      " + value
				content = key + []string{
					": '" + value + "'", `: "` + value + `"`, ": |-" + below, ": >-" + below, ":" + below,
				}[random.IntN(5)]
			}
		}
		b.WriteString(indent + content + "\n")
	}
	text = b.String()
	if random.IntN(8) == 0 {
		text = strings.TrimRight(text, "\n")
	}
	if random.IntN(4) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text, marks
}

// changed returns JSON with some values removed, moved or changed.
func changed(object []byte, random *rand.Rand) []byte {
	var v any
	if json.Unmarshal(object, &v) != nil {
		return object
	}
	var change func(v any) any
	change = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) { // so that a seed is reproducible
				switch random.IntN(12) {
				case 0:
					delete(v, key)
				case 1:
					v["x"+key] = v[key]
				case 2:
					v[key] = map[string]any{key: v[key]}
				case 3:
					if inner, isMap := v[key].(map[string]any); isMap {
						delete(v, key)
						maps.Copy(v, inner)
					}
				default:
					v[key] = change(v[key])
				}
			}
		case []any:
			if len(v) > 0 && random.IntN(8) == 0 {
				return v[1:]
			}
			for i := range v {
				v[i] = change(v[i])
			}
			if random.IntN(8) == 0 {
				random.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
			}
		case string:
			if random.IntN(12) == 0 {
				return v + " new: 'text' # \n"
			}
		}
		return v
	}
	out, err := json.Marshal(change(v))
	if err != nil {
		return object
	}
	return out
}

// value parses JSON with numbers as floats, as kubectl does.
func value(t *testing.T, object []byte) (v any) {
	t.Helper()
	must.Do(t, json.Unmarshal(object, &v))
	return v
}
