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
	manifestsGainNoFields(c)
	fragmentsGainNothing(c)
	validCopiesPass(c)
	parsedConvertsAsText(c)
}

func roundTripIsIdentity(c *propertyCase) {
	if c.report.Incomplete != "" || len(c.report.Lost) > 0 {
		return // the object is not restored completely, which other tests check
	}
	back, report, err := ConvertJSON(c.output, c.from, c.options)
	if err != nil {
		c.Fatal(err)
	}
	if len(report.Ignored)+len(report.Stale) > 0 {
		c.Errorf("the reverse conversion ignored %q, stale %q", report.Ignored, report.Stale)
	}
	if bytes.Equal(back, c.object) {
		return
	}
	want := c.object
	if c.from != Stored() && !c.options.Manifest { // a claim that was converted from v1 has the field
		back, want = c.withoutPreservedField(back), c.withoutPreservedField(want)
	}
	c.equal("the round trip changed the object", back, want)
}

// everyPathHasTheSameResult checks that a conversion through a third version has the same result as a direct one.
func everyPathHasTheSameResult(c *propertyCase) {
	for _, via := range Versions() {
		intermediate, report, err := ConvertJSON(c.object, via, c.options)
		if err != nil {
			c.Fatal(err)
		}
		if report.Incomplete != "" || len(report.Lost) > 0 {
			continue
		}
		detour, direct := c.convert(intermediate, c.to), c.output
		if bytes.Equal(detour, direct) {
			continue
		}
		if c.from != Stored() && !c.options.Manifest {
			detour, direct = c.withoutPreservedField(detour), c.withoutPreservedField(direct)
		}
		if bytes.Equal(detour, direct) {
			continue
		}
		// Preserved data keeps its spelling and its defaults, so only the restored objects are equal.
		detour, direct = c.convert(detour, Stored()), c.convert(direct, Stored())
		c.equal("through "+via, encode(withDefaults(c.decodeTyped(detour))), encode(withDefaults(c.decodeTyped(direct))))
	}
}

func conversionIsIdempotent(c *propertyCase) {
	before := bytes.Clone(c.object)
	if again := c.convert(c.object, c.to); !bytes.Equal(again, c.output) {
		c.Error("two results for one input")
	}
	if !bytes.Equal(c.object, before) {
		c.Error("the input was changed")
	}
	same := c.convert(c.object, c.from)
	if !bytes.Equal(same, c.object) {
		c.Error("conversion to its own version changed the object")
	}
	same[0] = 'x'
	if !bytes.Equal(c.object, before) {
		c.Error("the result shares memory with the input")
	}
	const prefix = "prefix"
	appended, err := appendConverted(prefix, string(before), c.from, c.options)
	if err != nil || appended != prefix+string(before) {
		c.Errorf("appended: %v: %s", err, appended)
	}
}

func defaultsAreSet(c *propertyCase) {
	want := encode(withDefaults(c.decodeTyped(c.output)))
	if got := encode(c.decodeTyped(c.output)); !bytes.Equal(got, want) {
		c.Error("the result lacks defaults of its version")
	}
}

func preservedDataIsRemovedInV1(c *propertyCase) {
	for _, empty := range []string{
		`"annotations":{}`, `"labels":{}`, `"creationTimestamp":null`, `"requests":null`, `"status":null`,
	} {
		if bytes.Contains(c.output, []byte(empty)) && !bytes.Contains(c.object, []byte(empty)) {
			c.Errorf("the result has %s", empty)
		}
	}
	if c.to == Stored() && bytes.Contains(c.output, []byte(names.Domain)) {
		if !bytes.Equal(c.withoutPreservedData(c.output), encode(c.decodeTyped(c.output))) {
			c.Error("the stored version has preserved data")
		}
	}
}

// olderVersionsRoundTripThroughNewerOnes checks that newer versions represent all data of older ones, so the reverse
// conversion preserves nothing.
func olderVersionsRoundTripThroughNewerOnes(c *propertyCase) {
	if c.from != Versions()[0] || c.to != Stored() || !c.isOriginal {
		return
	}
	o := c.options
	o.ListPreserved = true
	if _, report, _ := ConvertJSON(c.output, c.from, o); len(report.Preserved) > 0 {
		c.Errorf("the reverse conversion preserved %q", report.Preserved)
	}
}

// specDoesNotDependOnStatus checks that the converted spec and metadata are the same for every status.
func specDoesNotDependOnStatus(c *propertyCase) {
	if c.kind != api.KindClaim {
		return
	}
	want := specAndMeta(c, c.output)
	got := specAndMeta(c, c.convert(c.withOtherStatus(c.object), c.to))
	if got != want {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		c.Errorf("another status changes the spec or metadata, at byte %d:\n got %.600s\nwant %.600s", at, got[at:],
			want[at:])
	}
}

// specAndMeta returns the part that must not depend on the status. Of claimbridge's annotations, it has only that of
// the spec.
func specAndMeta(c *propertyCase, object []byte) string {
	o := parsedObject(c, object)
	var b strings.Builder
	visible := parsedObject(c, encode(withDefaults(c.decodeTyped(c.withoutPreservedData(object)))))
	b.Write(objectjson.Get(visible.Members, "spec"))
	b.Write(objectjson.Get(visible.Members, "metadata"))
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
	o := c.decodeTyped(object)
	if claim, ok := o.(*v1alpha3.ResourceClaim); ok {
		claim.Status = c.V1alpha3Status(claim.Spec)
	} else {
		version, _, _ := api.TypeOf(o)
		other := reflect.ValueOf(c.Object(version, api.KindClaim)).Elem()
		reflect.ValueOf(o).Elem().FieldByName("Status").Set(other.FieldByName("Status"))
	}
	if c.options.Manifest {
		removeDeallocationRequest(o)
	}
	return encode(o)
}

// editsAreStored checks that a client reads back what it wrote through the other version, with any preserved data.
func editsAreStored(c *propertyCase) {
	if c.report.Incomplete != "" {
		return
	}
	written := c.withoutPreservedField(c.output)
	if c.kind == api.KindClaim {
		written = c.withOtherStatus(c.output) // a status write by a client that drops claimbridge's field
		c.readsBack("a written status", written)
	}
	written = c.withEditedSpec(written) // a create
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
	c.equal(what+" is not read back", c.withoutPreservedData(read), c.withoutPreservedData(written))
}

// withEditedSpec returns an object with another spec and without a status, as in a create.
func (c *propertyCase) withEditedSpec(object []byte) []byte {
	o := c.decodeTyped(object)
	removeStatus(o)
	switch o := o.(type) {
	case *v1alpha1.ResourceClaim:
		o.Spec.ResourceClassName = "edited.example.com"
	case *v1alpha1.ResourceClaimTemplate:
		o.Spec.Spec.ParametersRef = &v1alpha1.ResourceClaimParametersReference{Kind: "Edited", Name: "e"}
	case *v1alpha2.ResourceClaim:
		if o.Spec.AllocationMode == v1alpha2.AllocationModeImmediate {
			o.Spec.AllocationMode = v1alpha2.AllocationModeWaitForFirstConsumer
		} else {
			o.Spec.AllocationMode = v1alpha2.AllocationModeImmediate
		}
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
