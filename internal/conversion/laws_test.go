package conversion

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
	"github.com/claimbridge/claimbridge/internal/names"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// TestConversionProperties tries every law on the same objects, for every pair of versions of the list: a new step is tested the moment
// it is listed. CLAIMBRIDGE_SEED replays a run, CLAIMBRIDGE_OBJECTS sets how many objects.
func TestConversionProperties(t *testing.T) {
	trials(t, everyLaw)
}

func everyLaw(c *lawCase) {
	thereAndBackIsTheIdentity(c)
	everyPathGivesTheSame(c)
	conversionIsStable(c)
	defaultsAreSet(c)
	nothingOfOursStays(c)
	theWaistIsNotNarrow(c)
	statusChangesNoSpec(c)
	anEditWins(c)
	anotherSpellingSaysTheSame(c)
	whatIsWrittenBackIsStoredAlready(c)
	filesGainNothing(c)
	fragmentsGainNothing(c)
	honestCopiesPass(c)
	parsedConvertsAsText(c)
}

func thereAndBackIsTheIdentity(c *lawCase) {
	back, report, err := JSON(c.there, c.from, c.options)
	if c.report.Incomplete != "" || len(c.report.Lost) > 0 {
		return // tested by themselves
	}
	if err != nil {
		c.Fatal(err)
	}
	if len(report.Ignored)+len(report.Stale) > 0 {
		c.Errorf("ignored on the way back: %q, stale: %q", report.Ignored, report.Stale)
	}
	if bytes.Equal(back, c.object) {
		return
	}
	want := c.object
	if c.from != Stored() && !c.options.AnnotationsOnly { // only copies from storage are given the field
		back, want = encode(withoutField(c.typed(back))), encode(withoutField(c.typed(want)))
	}
	c.equal("back is not what went", back, want)
}

// everyPathGivesTheSame: a detour through a version that says more needs no leftover; one that says less is there and
// back.
func everyPathGivesTheSame(c *lawCase) {
	for _, via := range Versions() {
		one, report, err := JSON(c.object, via, c.options)
		if err != nil {
			c.Fatal(err)
		}
		if report.Incomplete != "" || len(report.Lost) > 0 {
			continue
		}
		detour, direct := c.convert(one, c.to), c.there
		if bytes.Equal(detour, direct) {
			continue
		}
		if c.from != Stored() && !c.options.AnnotationsOnly {
			detour, direct = encode(withoutField(c.typed(detour))), encode(withoutField(c.typed(direct)))
		}
		if bytes.Equal(detour, direct) {
			continue
		}
		// What travels is spelled as it was, with the defaults that it had: it comes home as the same.
		detour, direct = c.convert(detour, Stored()), c.convert(direct, Stored())
		c.equal("through "+via, encode(normal(c.typed(detour))), encode(normal(c.typed(direct))))
	}
}

func conversionIsStable(c *lawCase) {
	before := bytes.Clone(c.object)
	if again := c.convert(c.object, c.to); !bytes.Equal(again, c.there) {
		c.Error("two answers for one input")
	}
	if !bytes.Equal(c.object, before) {
		c.Error("the input was touched")
	}
	same := c.convert(c.object, c.from)
	if !bytes.Equal(same, c.object) {
		c.Error("conversion to its own version changed the object")
	}
	if same[0] = 'x'; !bytes.Equal(c.object, before) {
		c.Error("the answer is the object itself")
	}
	if out, err := appended(string(before), c.from, c.options); err != nil || out != "before"+string(before) {
		c.Errorf("appended: %v: %s", err, out)
	}
}

func defaultsAreSet(c *lawCase) {
	want := encode(normal(c.typed(c.there)))
	if got := encode(withoutEmptyField(c.typed(c.there))); !bytes.Equal(got, want) {
		c.Error("the answer lacks defaults of its version")
	}
}

func nothingOfOursStays(c *lawCase) {
	for _, empty := range []string{
		`"annotations":{}`, `"labels":{}`, `"creationTimestamp":null`, `"requests":null`, `"status":null`,
	} {
		if bytes.Contains(c.there, []byte(empty)) && !bytes.Contains(c.object, []byte(empty)) {
			c.Errorf("the answer has %s", empty)
		}
	}
	if c.to == Stored() && bytes.Contains(c.there, []byte(names.Domain)) {
		if !bytes.Equal(c.bare(c.there), encode(c.typed(c.there))) {
			c.Error("something that travels beside an object is left in the stored version")
		}
	}
}

// theWaistIsNotNarrow: what the oldest version says, the newest can hold; so on the way back nothing is left over.
func theWaistIsNotNarrow(c *lawCase) {
	if c.from != Versions()[0] || c.to != Stored() || !c.native {
		return
	}
	o := c.options
	o.ListPreserved = true
	if _, report, _ := JSON(c.there, c.from, o); len(report.Preserved) > 0 {
		c.Errorf("left over on the way back: %q", report.Preserved)
	}
}

// statusChangesNoSpec: the converted spec and what is stored of metadata stay the same whatever the status is.
func statusChangesNoSpec(c *lawCase) {
	if c.kind != api.KindClaim {
		return
	}
	other := c.withOtherStatus(c.object)
	there := c.convert(other, c.to)
	was, is := specAndMeta(c, c.there), specAndMeta(c, there)
	if was != is {
		at := 0
		for at < min(len(was), len(is)) && was[at] == is[at] {
			at++
		}
		c.Errorf("another status gives another spec or metadata, at byte %d:\n%.600s\n%.600s", at, was[at:], is[at:])
	}
}

// specAndMeta is the part that must not depend on status: of annotations of ours, the spec part.
func specAndMeta(c *lawCase, object []byte) string {
	o := parsedObject(c, object)
	var b strings.Builder
	bare := parsedObject(c, encode(normal(c.typed(c.bare(object)))))
	b.Write(objectjson.Get(bare.Members, "spec"))
	b.Write(objectjson.Get(bare.Members, "metadata"))
	pairs := slices.SortedFunc(slices.Values(o.Metadata.Annotations.Pairs), func(a, b objectjson.Member) int {
		return strings.Compare(a.Name, b.Name)
	})
	for _, p := range pairs {
		if !preserve.IsAnnotation(p.Name) {
			continue
		}
		members, _, err := objectjson.Members([]byte(objectjson.StringOf(p.Value)))
		if err != nil {
			c.Fatal(err)
		}
		b.Write(objectjson.Get(members, "spec"))
	}
	return b.String()
}

// withOtherStatus gives a claim another valid status of its version.
func (c *lawCase) withOtherStatus(object []byte) []byte {
	o := c.typed(object)
	if claim, ok := o.(*v1alpha3.ResourceClaim); ok {
		claim.Status = c.V1alpha3Status(claim.Spec)
	} else {
		version, _, _ := api.TypeOf(o)
		other := reflect.ValueOf(c.Object(version, api.KindClaim)).Elem()
		reflect.ValueOf(o).Elem().FieldByName("Status").Set(other.FieldByName("Status"))
	}
	if c.options.AnnotationsOnly {
		withoutRequest(o)
	}
	return encode(o)
}

// anEditWins: what a client writes through the other version is what it reads there afterwards, whatever was left over.
func anEditWins(c *lawCase) {
	if c.report.Incomplete != "" {
		return
	}
	written := encode(withoutField(c.typed(c.there)))
	if c.kind == api.KindClaim {
		written = c.withOtherStatus(c.there) // a status write by a client that knows nothing of our field
		c.readsBack("a written status", written)
	}
	written = c.edited(written) // a create
	c.readsBack("an edited spec", written)
}

func (c *lawCase) readsBack(what string, written []byte) {
	c.Helper()
	stored, report, err := JSON(written, c.from, c.options)
	if err != nil {
		c.Fatal(err)
	}
	read, _, err := JSON(stored, c.to, c.options)
	if err != nil {
		c.Fatal(err)
	}
	if len(report.Lost) > 0 || report.Incomplete != "" {
		return
	}
	c.equal(what+" is not read back", c.bare(read), c.bare(written))
}

// edited changes the spec, and drops the status as a create does.
func (c *lawCase) edited(object []byte) []byte {
	o := c.typed(object)
	withoutStatus(o)
	switch o := o.(type) {
	case *v1alpha1.ResourceClaim:
		o.Spec.ResourceClassName = "edited.example.com"
	case *v1alpha1.ResourceClaimTemplate:
		o.Spec.Spec.ParametersRef = &v1alpha1.ResourceClaimParametersReference{Kind: "Edited", Name: "e"}
	case *v1alpha2.ResourceClaim:
		o.Spec.AllocationMode = map[v1alpha2.AllocationMode]v1alpha2.AllocationMode{
			v1alpha2.AllocationModeImmediate: v1alpha2.AllocationModeWaitForFirstConsumer,
		}[o.Spec.AllocationMode]
	case *v1alpha2.ResourceClaimTemplate:
		o.Spec.Spec.ResourceClassName = "edited.example.com"
	case *v1alpha3.ResourceClaim:
		o.Spec.Controller = "edited.example.com"
	case *v1alpha3.ResourceClaimTemplate:
		o.Spec.Spec.Devices.Requests = []v1alpha3.DeviceRequest{{Name: "edited", DeviceClassName: "x"}}
	case *v1beta1.ResourceClaim:
		o.Spec.Devices.Requests = []v1beta1.DeviceRequest{{Name: "edited", DeviceClassName: "x"}}
	case *v1beta1.ResourceClaimTemplate:
		o.Spec.Spec.Devices.Requests = []v1beta1.DeviceRequest{{Name: "edited", DeviceClassName: "x"}}
	default:
		requests := cmp.Or(part[[]v1.DeviceRequest](o, "Spec", "Devices", "Requests"),
			part[[]v1.DeviceRequest](o, "Spec", "Spec", "Devices", "Requests"))
		*requests = []v1.DeviceRequest{{Name: "edited", Exactly: &v1.ExactDeviceRequest{DeviceClassName: "x"}}}
	}
	return encode(o)
}
