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

// TestConversionProperties checks all properties with the same objects, for every pair of versions in the table, so a
// new version is tested too. CLAIMBRIDGE_SEED repeats a run, and CLAIMBRIDGE_OBJECTS sets the number of objects.
func TestConversionProperties(t *testing.T) {
	forEachCase(t, allProperties)
}

func allProperties(c *propertyCase) {
	roundTripIsIdentity(c)
	everyPathHasTheSameResult(c)
	conversionIsIdempotent(c)
	defaultsAreSet(c)
	preservedDataIsRemovedInV1(c)
	olderVersionsRoundTripThroughNewerOnes(c)
	specDoesNotDependOnStatus(c)
	editsAreStored(c)
	spellingDoesNotMatter(c)
	idleWritesStoreNothing(c)
	filesGainNothing(c)
	fragmentsGainNothing(c)
	validCopiesPass(c)
	parsedConvertsAsText(c)
}

func roundTripIsIdentity(c *propertyCase) {
	back, report, err := ConvertJSON(c.there, c.from, c.options)
	if c.report.Incomplete != "" || len(c.report.Lost) > 0 {
		return // has separate tests
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
	if c.from != Stored() && !c.options.Manifest { // only copies of stored objects have the field
		back, want = encode(withoutField(c.typed(back))), encode(withoutField(c.typed(want)))
	}
	c.equal("back is not what went", back, want)
}

// everyPathHasTheSameResult checks that a conversion through a third version has the same result as a direct one.
func everyPathHasTheSameResult(c *propertyCase) {
	for _, via := range Versions() {
		one, report, err := ConvertJSON(c.object, via, c.options)
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
		if c.from != Stored() && !c.options.Manifest {
			detour, direct = encode(withoutField(c.typed(detour))), encode(withoutField(c.typed(direct)))
		}
		if bytes.Equal(detour, direct) {
			continue
		}
		// Preserved data keeps its spelling and its defaults, so only the restored objects are equal.
		detour, direct = c.convert(detour, Stored()), c.convert(direct, Stored())
		c.equal("through "+via, encode(normal(c.typed(detour))), encode(normal(c.typed(direct))))
	}
}

func conversionIsIdempotent(c *propertyCase) {
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

func defaultsAreSet(c *propertyCase) {
	want := encode(normal(c.typed(c.there)))
	if got := encode(withoutEmptyField(c.typed(c.there))); !bytes.Equal(got, want) {
		c.Error("the answer lacks defaults of its version")
	}
}

func preservedDataIsRemovedInV1(c *propertyCase) {
	for _, empty := range []string{
		`"annotations":{}`, `"labels":{}`, `"creationTimestamp":null`, `"requests":null`, `"status":null`,
	} {
		if bytes.Contains(c.there, []byte(empty)) && !bytes.Contains(c.object, []byte(empty)) {
			c.Errorf("the answer has %s", empty)
		}
	}
	if c.to == Stored() && bytes.Contains(c.there, []byte(names.Domain)) {
		if !bytes.Equal(c.bare(c.there), encode(c.typed(c.there))) {
			c.Error("preserved data is left in the stored version")
		}
	}
}

// olderVersionsRoundTripThroughNewerOnes checks that newer versions represent all data of older ones, so the reverse
// conversion preserves nothing.
func olderVersionsRoundTripThroughNewerOnes(c *propertyCase) {
	if c.from != Versions()[0] || c.to != Stored() || !c.native {
		return
	}
	o := c.options
	o.ListPreserved = true
	if _, report, _ := ConvertJSON(c.there, c.from, o); len(report.Preserved) > 0 {
		c.Errorf("left over on the way back: %q", report.Preserved)
	}
}

// specDoesNotDependOnStatus checks that the converted spec and metadata are the same for every status.
func specDoesNotDependOnStatus(c *propertyCase) {
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

// specAndMeta returns the part that must not depend on the status. Of claimbridge's annotations, it has only that of
// the spec.
func specAndMeta(c *propertyCase, object []byte) string {
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

// withOtherStatus returns a claim with another valid status of its version.
func (c *propertyCase) withOtherStatus(object []byte) []byte {
	o := c.typed(object)
	if claim, ok := o.(*v1alpha3.ResourceClaim); ok {
		claim.Status = c.V1alpha3Status(claim.Spec)
	} else {
		version, _, _ := api.TypeOf(o)
		other := reflect.ValueOf(c.Object(version, api.KindClaim)).Elem()
		reflect.ValueOf(o).Elem().FieldByName("Status").Set(other.FieldByName("Status"))
	}
	if c.options.Manifest {
		withoutRequest(o)
	}
	return encode(o)
}

// editsAreStored checks that a client reads back what it wrote through the other version, with any preserved data.
func editsAreStored(c *propertyCase) {
	if c.report.Incomplete != "" {
		return
	}
	written := encode(withoutField(c.typed(c.there)))
	if c.kind == api.KindClaim {
		written = c.withOtherStatus(c.there) // a status write by a client that drops claimbridge's field
		c.readsBack("a written status", written)
	}
	written = c.edited(written) // a create
	c.readsBack("an edited spec", written)
}

func (c *propertyCase) readsBack(what string, written []byte) {
	c.Helper()
	stored, report, err := ConvertJSON(written, c.from, c.options)
	if err != nil {
		c.Fatal(err)
	}
	read, _, err := ConvertJSON(stored, c.to, c.options)
	if err != nil {
		c.Fatal(err)
	}
	if len(report.Lost) > 0 || report.Incomplete != "" {
		return
	}
	c.equal(what+" is not read back", c.bare(read), c.bare(written))
}

// edited returns an object with another spec and without a status, as in a create.
func (c *propertyCase) edited(object []byte) []byte {
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
