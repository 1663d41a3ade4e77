package convert

import (
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
)

// maxClasses are compared, of each kind; each costs some 300 bytes until the end of the input. A cluster has a few.
const maxClasses = 10_000

// foundClasses are the classes of the input. A converted claim goes on naming its class, but what class that is changed
// with v1alpha3: a ResourceClass before, a DeviceClass since.
type foundClasses struct {
	old, new []foundClass
	ignored  int
}

type foundClass struct {
	at manifest.Position
	conversion.Header
}

const (
	oldClass = "ResourceClass"
	newClass = "DeviceClass"
)

func (c *converter) isClass(apiVersion, kind string) bool {
	return (kind == oldClass || kind == newClass) && c.groups.Names(apiVersion) && strings.Contains(apiVersion, "/")
}

func (f *foundClasses) add(at manifest.Position, h conversion.Header) {
	list := &f.old
	if h.Kind == newClass {
		list = &f.new
	}
	if len(*list) == maxClasses {
		f.ignored++
		return
	}
	*list = append(*list, foundClass{at, h})
}

func (f *foundClasses) take(from *foundClasses) {
	for _, c := range from.old {
		f.add(c.at, c.Header)
	}
	for _, c := range from.new {
		f.add(c.at, c.Header)
	}
	*from = foundClasses{}
}

// advise names the classes that lack one of the kind that converted claims ask for.
func (f *foundClasses) advise(to string, p *problems.Log) {
	have, need, kind := f.old, f.new, newClass
	if !api.HasDevices(to) {
		have, need, kind = f.new, f.old, oldClass
	}
	names := map[string]bool{}
	for _, c := range need {
		names[c.Name] = true
	}
	for _, c := range have {
		if !names[c.Name] {
			p.Advise(problems.Classes, c.at, c.Header, fmt.Sprintf(
				"passes through as %s, and there is no %s of this name in the input, for which claims of %s ask; write one", c.Version, kind, to))
		}
	}
	if f.ignored > 0 {
		fmt.Fprintf(p.W, "warning: there are more than %d classes, %d of them were not compared\n", maxClasses, f.ignored)
	}
}
