package convert

import (
	"runtime"
	"testing"
)

func TestANameIsOneLineOfTheList(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such names")
	}
	inFolder(t, map[string]string{"d/a\n::error::forged.yaml": someClaim})
	want := `"d/a\n::error::forged.yaml"` + "\n"
	if out, _, _ := run(t, InFiles{List: true}, false, "d"); out != want {
		t.Errorf("%q, want %q", out, want)
	}
}
